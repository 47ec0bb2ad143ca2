import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { failure } from '../../../../kernel/errors.js';
import type { EventOf } from '../../../../kernel/event.js';
import { PersonalChanges } from '../../personal-changes.js';
import type { SavedSnippetDeleted } from '../../../../events/saved-snippets.js';
import { savedSnippetsFold, type SavedSnippets } from '../saved-snippets.js';

/** Throws a saved text away (DELETE /saved_snippets/{saved_snippet_id}). */
export class DeleteSavedSnippet extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly snippetId: number,
  ) {
    super();
  }
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

@CommandHandler(DeleteSavedSnippet)
export class DeleteSavedSnippetHandler implements ICommandHandler<DeleteSavedSnippet> {
  constructor(private readonly personal: PersonalChanges) {}

  async execute({ caller, snippetId }: DeleteSavedSnippet): Promise<void> {
    await this.personal.apply(caller, {
      fold: savedSnippetsFold,
      decide: (snippets) => decideDeleteSavedSnippet(snippets, snippetId, caller),
    });
  }
}
