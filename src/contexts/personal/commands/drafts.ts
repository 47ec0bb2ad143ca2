import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { idAtRevision } from '../../../kernel/ids.js';
import type { DraftRequest } from '../draft-content.js';
import { draftsOf } from '../drafts.state.js';
import { Decisions } from '../../../http/decisions.js';
import { ListBudget } from '../list-budget.js';
import {
  assertDraftsKept,
  decideChangeDraft,
  decideDeleteDraft,
  decideSaveDrafts,
  keptContent,
} from '../drafts.decide.js';

/** Saves drafts (`POST /drafts`). Returns their ids, in the given order. */
export class SaveDrafts extends Command<readonly number[]> {
  constructor(
    readonly caller: Caller,
    readonly requests: readonly DraftRequest[],
  ) {
    super();
  }
}

@CommandHandler(SaveDrafts)
export class SaveDraftsHandler implements ICommandHandler<SaveDrafts> {
  constructor(
    private readonly decisions: Decisions,
    private readonly room: ListBudget,
  ) {}

  /** @throws ApplicationError `draftsNotKept`, `listTooLong`, or those of {@link keptContent} and {@link decideSaveDrafts} */
  async execute({ caller, requests }: SaveDrafts): Promise<readonly number[]> {
    const size = requests.reduce((sum, { content }) => sum + content.length, 0);
    await this.room.assertRoomFor('drafts', { userId: caller.userId, size });
    const { events } = await this.decisions.decide(caller, draftsOf(caller.userId), (drafts, actor) => {
      assertDraftsKept(actor);
      return decideSaveDrafts(
        drafts,
        requests.map((request) => keptContent(request, actor)),
      );
    });
    return events.map(({ revision }) => idAtRevision(revision));
  }
}

/** Replaces a draft (`PATCH /drafts/{draft_id}`). */
export class ChangeDraft extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly draftId: number,
    readonly request: DraftRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeDraft)
export class ChangeDraftHandler implements ICommandHandler<ChangeDraft> {
  constructor(
    private readonly decisions: Decisions,
    private readonly room: ListBudget,
  ) {}

  async execute({ caller, draftId, request }: ChangeDraft): Promise<void> {
    const { userId } = caller;
    await this.room.assertRoomFor('drafts', { userId, size: request.content.length, replaces: draftId });
    await this.decisions.decide(caller, draftsOf(userId), (drafts, actor) =>
      decideChangeDraft(drafts, draftId, keptContent(request, actor)),
    );
  }
}

/** Deletes a draft (`DELETE /drafts/{draft_id}`). */
export class DeleteDraft extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly draftId: number,
  ) {
    super();
  }
}

@CommandHandler(DeleteDraft)
export class DeleteDraftHandler implements ICommandHandler<DeleteDraft> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, draftId }: DeleteDraft): Promise<void> {
    const { userId } = caller;
    await this.decisions.decide(caller, draftsOf(userId), (drafts, actor) => {
      assertDraftsKept(actor);
      return decideDeleteDraft(drafts, { userId, draftId });
    });
  }
}
