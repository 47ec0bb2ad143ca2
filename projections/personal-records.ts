import type { Recorded } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/event-handlers.js';
import { BotStorageChanged, BotStorageCleared } from '../src/events/bot-storage.js';
import { OnboardingStepCompleted } from '../src/events/onboarding.js';
import {
  NavigationViewAdded,
  NavigationViewChanged,
  NavigationViewRemoved,
} from '../src/events/navigation-views.js';
import {
  SavedSnippetChanged,
  SavedSnippetCreated,
  SavedSnippetDeleted,
} from '../src/events/saved-snippets.js';
import {
  personalDocumentId,
  type BotStorageDocument,
  type CompletedStepDocument,
  type NavigationViewDocument,
  type SavedSnippetDocument,
} from '../src/contexts/personal/read-model.js';
import {
  on,
  removed,
  type Change,
  type DocumentReference,
  type LoadedDocuments,
  type Projection,
} from './engine/projection.js';

/** Handlers of the events about saved snippets, navigation views, onboarding steps and the storage of bots. */
export const personalRecordHandlers: Projection['on'] = handlers(
  on(SavedSnippetCreated, { apply: snippetCreated }),
  on(SavedSnippetChanged, {
    reads: (event) => [snippetReference(event)],
    apply: snippetChanged,
  }),
  on(SavedSnippetDeleted, { apply: (event) => removed(snippetReference(event)) }),
  on(NavigationViewAdded, { apply: viewAdded }),
  on(NavigationViewChanged, {
    reads: (event) => [viewReference(event)],
    apply: viewChanged,
  }),
  on(NavigationViewRemoved, { apply: (event) => removed(viewReference(event)) }),
  on(BotStorageChanged, { apply: noted }),
  on(BotStorageCleared, { apply: cleared }),
  on(OnboardingStepCompleted, { apply: completed }),
);

function snippetCreated({ data, metadata }: Recorded<typeof SavedSnippetCreated>): readonly Change[] {
  const _id = personalDocumentId(data.userId, data.snippetId);
  const snippet: SavedSnippetDocument = { _id, ...data, createdAt: metadata.at };
  return [{ collection: 'saved_snippets', put: snippet }];
}

function snippetChanged(
  event: Recorded<typeof SavedSnippetChanged>,
  documents: LoadedDocuments,
): readonly Change[] {
  const { collection, id } = snippetReference(event);
  const snippet = documents.get<SavedSnippetDocument>(collection, id);
  if (snippet === null) return [];
  const { title, content } = event.data;
  const changed = { ...snippet, title: title ?? snippet.title, content: content ?? snippet.content };
  return [{ collection, put: changed }];
}

function snippetReference({
  data,
}: Recorded<typeof SavedSnippetChanged | typeof SavedSnippetDeleted>): DocumentReference {
  return { collection: 'saved_snippets', id: personalDocumentId(data.userId, data.snippetId) };
}

function viewAdded({ data }: Recorded<typeof NavigationViewAdded>): readonly Change[] {
  const view: NavigationViewDocument = { _id: personalDocumentId(data.userId, data.viewId), ...data };
  return [{ collection: 'navigation_views', put: view }];
}

function viewChanged(
  event: Recorded<typeof NavigationViewChanged>,
  documents: LoadedDocuments,
): readonly Change[] {
  const { collection, id } = viewReference(event);
  const view = documents.get<NavigationViewDocument>(collection, id);
  if (view === null) return [];
  const { isPinned, name } = event.data;
  return [{ collection, put: { ...view, isPinned: isPinned ?? view.isPinned, name: name ?? view.name } }];
}

function viewReference({
  data,
}: Recorded<typeof NavigationViewChanged | typeof NavigationViewRemoved>): DocumentReference {
  return { collection: 'navigation_views', id: personalDocumentId(data.userId, data.viewId) };
}

function noted({ data: { userId, entries } }: Recorded<typeof BotStorageChanged>): readonly Change[] {
  return entries.map(({ key, value }) => {
    const note: BotStorageDocument = { _id: noteId(userId, key), userId, key, value };
    return { collection: 'bot_storage', put: note };
  });
}

function cleared({ data: { userId, keys } }: Recorded<typeof BotStorageCleared>): readonly Change[] {
  return keys.map((key) => ({ collection: 'bot_storage', remove: noteId(userId, key) }));
}

function completed({ data: { userId, step } }: Recorded<typeof OnboardingStepCompleted>): readonly Change[] {
  const document: CompletedStepDocument = { _id: `${userId}:${step}`, userId, step };
  return [{ collection: 'onboarding_steps', put: document }];
}

function noteId(userId: number, key: string): string {
  return `${userId}:${key}`;
}
