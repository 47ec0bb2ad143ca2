import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { draftContent, type DraftContent, type DraftRequest } from '../draft-content.js';
import { draftsFold, type Drafts } from '../drafts.js';
import type { DraftChanged } from '../../../events/personal.js';
import { PersonalChanges } from '../personal-changes.js';

/** Replaces a draft (facts, section 5, PATCH drafts). */
export class ChangeDraft extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly draftId: number,
    readonly request: DraftRequest,
  ) {
    super();
  }
}

/** @throws ApplicationError `noSuchDraft` */
export function decideChangeDraft(
  { ids }: Drafts,
  draftId: number,
  content: DraftContent,
): readonly EventOf<typeof DraftChanged>[] {
  if (!ids.has(draftId)) throw failure('noSuchDraft');
  return [{ type: 'DraftChanged', data: { ...content, draftId } }];
}

@CommandHandler(ChangeDraft)
export class ChangeDraftHandler implements ICommandHandler<ChangeDraft> {
  constructor(private readonly personal: PersonalChanges) {}

  async execute({ caller, draftId, request }: ChangeDraft): Promise<void> {
    const { moment, user: writer } = this.personal.keepingDrafts(caller);
    const content = draftContent(request, { moment, writer });
    await this.personal.apply(caller, {
      fold: draftsFold,
      decide: (drafts) => decideChangeDraft(drafts, draftId, content),
    });
  }
}
