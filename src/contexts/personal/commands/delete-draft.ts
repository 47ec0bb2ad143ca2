import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { draftsFold, type Drafts } from '../drafts.js';
import type { DraftDeleted } from '../../../events/personal.js';
import { PersonalChanges } from '../personal-changes.js';

/** Throws a draft away (facts, section 5, DELETE drafts). */
export class DeleteDraft extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly draftId: number,
  ) {
    super();
  }
}

/** @throws ApplicationError `noSuchDraft` */
export function decideDeleteDraft(
  { ids }: Drafts,
  { userId, draftId }: { readonly userId: number; readonly draftId: number },
): readonly EventOf<typeof DraftDeleted>[] {
  if (!ids.has(draftId)) throw failure('noSuchDraft');
  return [{ type: 'DraftDeleted', data: { userId, draftId } }];
}

@CommandHandler(DeleteDraft)
export class DeleteDraftHandler implements ICommandHandler<DeleteDraft> {
  constructor(private readonly personal: PersonalChanges) {}

  async execute({ caller, draftId }: DeleteDraft): Promise<void> {
    const { id: userId } = this.personal.keepingDrafts(caller).user;
    await this.personal.apply(caller, {
      fold: draftsFold,
      decide: (drafts) => decideDeleteDraft(drafts, { userId, draftId }),
    });
  }
}
