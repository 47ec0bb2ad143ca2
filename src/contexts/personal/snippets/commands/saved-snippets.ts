import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { Decisions } from '../../../../http/decisions.js';
import { ListBudget } from '../../list-budget.js';
import { savedSnippetsOf } from '../saved-snippets.state.js';
import {
  decideCreateSavedSnippet,
  SnippetChange,
  decideChangeSavedSnippet,
  decideDeleteSavedSnippet,
} from '../saved-snippets.decide.js';

/** Saves a snippet (`POST /saved_snippets`). Returns its id. */
export class CreateSavedSnippet extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly text: { readonly title: string; readonly content: string },
  ) {
    super();
  }
}

@CommandHandler(CreateSavedSnippet)
export class CreateSavedSnippetHandler implements ICommandHandler<CreateSavedSnippet> {
  constructor(
    private readonly decisions: Decisions,
    private readonly room: ListBudget,
  ) {}

  async execute({ caller, text }: CreateSavedSnippet): Promise<number> {
    const { userId } = caller;
    await this.room.assertRoomFor('saved_snippets', { userId, size: text.content.length });
    const {
      events: [created],
    } = await this.decisions.decide(caller, savedSnippetsOf(caller.userId), (snippets) =>
      decideCreateSavedSnippet(snippets, text, caller),
    );
    return created!.data.snippetId;
  }
}

/** Changes the title or content of a snippet (`PATCH /saved_snippets/{saved_snippet_id}`). */
export class ChangeSavedSnippet extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly change: SnippetChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeSavedSnippet)
export class ChangeSavedSnippetHandler implements ICommandHandler<ChangeSavedSnippet> {
  constructor(
    private readonly decisions: Decisions,
    private readonly room: ListBudget,
  ) {}

  async execute({ caller, change }: ChangeSavedSnippet): Promise<void> {
    if (change.content !== null) {
      const text = { userId: caller.userId, size: change.content.length, replaces: change.snippetId };
      await this.room.assertRoomFor('saved_snippets', text);
    }
    await this.decisions.decide(caller, savedSnippetsOf(caller.userId), (snippets) =>
      decideChangeSavedSnippet(snippets, change, caller),
    );
  }
}

/** Deletes a snippet (`DELETE /saved_snippets/{saved_snippet_id}`). */
export class DeleteSavedSnippet extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly snippetId: number,
  ) {
    super();
  }
}

@CommandHandler(DeleteSavedSnippet)
export class DeleteSavedSnippetHandler implements ICommandHandler<DeleteSavedSnippet> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, snippetId }: DeleteSavedSnippet): Promise<void> {
    await this.decisions.decide(caller, savedSnippetsOf(caller.userId), (snippets) =>
      decideDeleteSavedSnippet(snippets, snippetId, caller),
    );
  }
}
