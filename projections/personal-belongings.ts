import type { EventOf, RecordedEvent } from '../src/kernel/event.js';
import type { BotStorageChanged, BotStorageCleared } from '../src/personal/bot-storage/events.js';
import type { OnboardingStepCompleted } from '../src/personal/onboarding/events.js';
import type {
  NavigationViewAdded,
  NavigationViewChanged,
  NavigationViewRemoved,
} from '../src/personal/navigation/events.js';
import type {
  SavedSnippetChanged,
  SavedSnippetCreated,
  SavedSnippetDeleted,
} from '../src/personal/snippets/events.js';
import {
  personalDocumentId,
  type BotStorageDocument,
  type CompletedStepDocument,
  type NavigationViewDocument,
  type SavedSnippetDocument,
} from '../src/personal/personal-document.js';
import type { Change, DocumentReference, LoadedDocuments, Projection } from './engine/projection.js';

type SnippetCreated = RecordedEvent<EventOf<typeof SavedSnippetCreated>>;
type SnippetChanged = RecordedEvent<EventOf<typeof SavedSnippetChanged>>;
type SnippetDeleted = RecordedEvent<EventOf<typeof SavedSnippetDeleted>>;
type ViewAdded = RecordedEvent<EventOf<typeof NavigationViewAdded>>;
type ViewChanged = RecordedEvent<EventOf<typeof NavigationViewChanged>>;
type ViewRemoved = RecordedEvent<EventOf<typeof NavigationViewRemoved>>;
type Noted = RecordedEvent<EventOf<typeof BotStorageChanged>>;
type Cleared = RecordedEvent<EventOf<typeof BotStorageCleared>>;
type Completed = RecordedEvent<EventOf<typeof OnboardingStepCompleted>>;

/** Where what people saved, their menus, what they need not be shown again and what bots noted is kept. */
export const belongingCollections: Projection['collections'] = [
  { name: 'saved_snippets', indexes: [{ key: { userId: 1, snippetId: 1 } }] },
  { name: 'navigation_views', indexes: [{ key: { userId: 1, viewId: 1 } }] },
  { name: 'bot_storage', indexes: [{ key: { userId: 1, key: 1 } }] },
  { name: 'onboarding_steps', indexes: [{ key: { userId: 1 } }] },
];

/** What becomes of it by each event. */
export const belongingHandlers: Projection['on'] = {
  SavedSnippetCreated: { apply: (event) => snippetCreated(event as SnippetCreated) },
  SavedSnippetChanged: {
    reads: (event) => [snippetReference(event as SnippetChanged)],
    apply: (event, documents) => snippetChanged(event as SnippetChanged, documents),
  },
  SavedSnippetDeleted: { apply: (event) => removed(snippetReference(event as SnippetDeleted)) },
  NavigationViewAdded: { apply: (event) => viewAdded(event as ViewAdded) },
  NavigationViewChanged: {
    reads: (event) => [viewReference(event as ViewChanged)],
    apply: (event, documents) => viewChanged(event as ViewChanged, documents),
  },
  NavigationViewRemoved: { apply: (event) => removed(viewReference(event as ViewRemoved)) },
  BotStorageChanged: { apply: (event) => noted(event as Noted) },
  BotStorageCleared: { apply: (event) => cleared(event as Cleared) },
  OnboardingStepCompleted: { apply: (event) => completed(event as Completed) },
};

function snippetCreated({ data, metadata }: SnippetCreated): readonly Change[] {
  const _id = personalDocumentId(data.userId, data.snippetId);
  const snippet: SavedSnippetDocument = { _id, ...data, createdAt: metadata.at };
  return [{ collection: 'saved_snippets', put: snippet }];
}

function snippetChanged(event: SnippetChanged, documents: LoadedDocuments): readonly Change[] {
  const { collection, id } = snippetReference(event);
  const snippet = documents.get<SavedSnippetDocument>(collection, id);
  if (snippet === null) return [];
  const { title, content } = event.data;
  const changed = { ...snippet, title: title ?? snippet.title, content: content ?? snippet.content };
  return [{ collection, put: changed }];
}

function snippetReference({ data }: SnippetChanged | SnippetDeleted): DocumentReference {
  return { collection: 'saved_snippets', id: personalDocumentId(data.userId, data.snippetId) };
}

function viewAdded({ data }: ViewAdded): readonly Change[] {
  const view: NavigationViewDocument = { _id: personalDocumentId(data.userId, data.viewId), ...data };
  return [{ collection: 'navigation_views', put: view }];
}

function viewChanged(event: ViewChanged, documents: LoadedDocuments): readonly Change[] {
  const { collection, id } = viewReference(event);
  const view = documents.get<NavigationViewDocument>(collection, id);
  if (view === null) return [];
  const { isPinned, name } = event.data;
  return [{ collection, put: { ...view, isPinned: isPinned ?? view.isPinned, name: name ?? view.name } }];
}

function viewReference({ data }: ViewChanged | ViewRemoved): DocumentReference {
  return { collection: 'navigation_views', id: personalDocumentId(data.userId, data.viewId) };
}

function noted({ data: { userId, entries } }: Noted): readonly Change[] {
  return entries.map(({ key, value }) => {
    const note: BotStorageDocument = { _id: noteId(userId, key), userId, key, value };
    return { collection: 'bot_storage', put: note };
  });
}

function cleared({ data: { userId, keys } }: Cleared): readonly Change[] {
  return keys.map((key) => ({ collection: 'bot_storage', remove: noteId(userId, key) }));
}

function completed({ data: { userId, step } }: Completed): readonly Change[] {
  const document: CompletedStepDocument = { _id: `${userId}:${step}`, userId, step };
  return [{ collection: 'onboarding_steps', put: document }];
}

function noteId(userId: number, key: string): string {
  return `${userId}:${key}`;
}

function removed({ collection, id }: DocumentReference): readonly Change[] {
  return [{ collection, remove: id }];
}
