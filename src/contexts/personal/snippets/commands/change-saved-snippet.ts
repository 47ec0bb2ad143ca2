import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { requiredText } from '../../../../kernel/bounded-text.js';
import { failure } from '../../../../kernel/errors.js';
import type { EventOf } from '../../../../kernel/event.js';
import { PersonalChanges } from '../../personal-changes.js';
import type { SavedSnippetChanged } from '../../../../events/saved-snippets.js';
import { savedSnippetsFold, snippetContent, snippetTitle, type SavedSnippets } from '../saved-snippets.js';

/** Gives a saved text another title or content (specification, PATCH /saved_snippets/{saved_snippet_id}). */
export class ChangeSavedSnippet extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly change: SnippetChange,
  ) {
    super();
  }
}

/** What is null is left as it is. */
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

@CommandHandler(ChangeSavedSnippet)
export class ChangeSavedSnippetHandler implements ICommandHandler<ChangeSavedSnippet> {
  constructor(private readonly personal: PersonalChanges) {}

  async execute({ caller, change }: ChangeSavedSnippet): Promise<void> {
    await this.personal.apply(caller, {
      fold: savedSnippetsFold,
      decide: (snippets) => decideChangeSavedSnippet(snippets, change, caller),
    });
  }
}
