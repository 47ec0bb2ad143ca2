import { budgets } from '../../../../kernel/budgets.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { requiredText } from '../../../../kernel/bounded-text.js';
import { failure } from '../../../../kernel/errors.js';
import type { EventOf } from '../../../../kernel/event.js';
import { PersonalChanges } from '../../personal-changes.js';
import type { SavedSnippetCreated } from '../../../../events/saved-snippets.js';
import { savedSnippetsFold, snippetContent, snippetTitle, type SavedSnippets } from '../saved-snippets.js';

/** Keeps a text to use again (specification, POST /saved_snippets). Answers its id. */
export class CreateSavedSnippet extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly text: { readonly title: string; readonly content: string },
  ) {
    super();
  }
}

/** @throws ApplicationError for a blank or too long title or content, and `tooManySavedSnippets` */
export function decideCreateSavedSnippet(
  { ids, nextRevision }: SavedSnippets,
  { title, content }: CreateSavedSnippet['text'],
  { userId }: { readonly userId: number },
): readonly EventOf<typeof SavedSnippetCreated>[] {
  const text = { title: requiredText(title, snippetTitle), content: requiredText(content, snippetContent) };
  if (ids.size >= budgets.savedSnippets.max) throw failure('tooManySavedSnippets');
  return [{ type: 'SavedSnippetCreated', data: { userId, snippetId: nextRevision + 1, ...text } }];
}

@CommandHandler(CreateSavedSnippet)
export class CreateSavedSnippetHandler implements ICommandHandler<CreateSavedSnippet> {
  constructor(private readonly personal: PersonalChanges) {}

  async execute({ caller, text }: CreateSavedSnippet): Promise<number> {
    const [created] = await this.personal.apply(caller, {
      fold: savedSnippetsFold,
      decide: (snippets) => decideCreateSavedSnippet(snippets, text, caller),
    });
    return created!.data.snippetId;
  }
}
