import { budgets } from '../../../kernel/budgets.js';
import { requiredText } from '../../../kernel/text.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { idAtRevision } from '../../../kernel/ids.js';
import type {
  SavedSnippetCreated,
  SavedSnippetChanged,
  SavedSnippetDeleted,
} from '../../../events/saved-snippets.js';
import { snippetContent, snippetTitle, type SavedSnippets } from './saved-snippets.state.js';

/** @throws ApplicationError for a blank or too long title or content, and `tooManySavedSnippets` */
export function decideCreateSavedSnippet(
  { ids, nextRevision }: SavedSnippets,
  { title, content }: { readonly title: string; readonly content: string },
  { userId }: { readonly userId: number },
): readonly EventOf<typeof SavedSnippetCreated>[] {
  const text = { title: requiredText(title, snippetTitle), content: requiredText(content, snippetContent) };
  if (ids.size >= budgets.savedSnippets.max) throw failure('tooManySavedSnippets');
  return [{ type: 'SavedSnippetCreated', data: { userId, snippetId: idAtRevision(nextRevision), ...text } }];
}

/** The changes; null: no change. */
export interface SnippetChange {
  readonly snippetId: number;
  readonly title: string | null;
  readonly content: string | null;
}

/** @throws ApplicationError for a blank or too long title or content, and `noSuchSavedSnippet` */
export function decideChangeSavedSnippet(
  { ids }: SavedSnippets,
  change: SnippetChange,
  { userId }: { readonly userId: number },
): readonly EventOf<typeof SavedSnippetChanged>[] {
  const title = change.title === null ? null : requiredText(change.title, snippetTitle);
  const content = change.content === null ? null : requiredText(change.content, snippetContent);
  const { snippetId } = change;
  if (!ids.has(snippetId)) throw failure('noSuchSavedSnippet');
  if (title === null && content === null) return [];
  return [{ type: 'SavedSnippetChanged', data: { userId, snippetId, title, content } }];
}

/** @throws ApplicationError `noSuchSavedSnippet` */
export function decideDeleteSavedSnippet(
  { ids }: SavedSnippets,
  snippetId: number,
  { userId }: { readonly userId: number },
): readonly EventOf<typeof SavedSnippetDeleted>[] {
  if (!ids.has(snippetId)) throw failure('noSuchSavedSnippet');
  return [{ type: 'SavedSnippetDeleted', data: { userId, snippetId } }];
}
