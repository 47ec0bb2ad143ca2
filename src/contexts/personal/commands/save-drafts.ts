import { budgets } from '../../../kernel/budgets.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { idAtRevision } from '../../../kernel/ids.js';
import type { EventOf } from '../../../kernel/event.js';
import { draftContent, type DraftContent, type DraftRequest } from '../draft-content.js';
import { draftsFold, type Drafts } from '../drafts.js';
import type { DraftSaved } from '../../../events/personal.js';
import { PersonalChanges } from '../personal-changes.js';

/** Keeps messages that are not sent yet (facts, section 5, POST drafts). Answers their ids, in the order given. */
export class SaveDrafts extends Command<readonly number[]> {
  constructor(
    readonly caller: Caller,
    readonly requests: readonly DraftRequest[],
  ) {
    super();
  }
}

/** @throws ApplicationError `tooManyDrafts` */
export function decideSaveDrafts(
  { ids, nextRevision }: Drafts,
  contents: readonly DraftContent[],
): readonly EventOf<typeof DraftSaved>[] {
  if (ids.size + contents.length > budgets.drafts.max) throw failure('tooManyDrafts');
  return contents.map((content, index) => ({
    type: 'DraftSaved',
    data: { ...content, draftId: nextRevision + index + 1 },
  }));
}

@CommandHandler(SaveDrafts)
export class SaveDraftsHandler implements ICommandHandler<SaveDrafts> {
  constructor(private readonly personal: PersonalChanges) {}

  /** @throws ApplicationError `draftsNotKept`, or those of {@link draftContent} and {@link decideSaveDrafts} */
  async execute({ caller, requests }: SaveDrafts): Promise<readonly number[]> {
    const { moment, user: writer } = this.personal.keepingDrafts(caller);
    const contents = requests.map((request) => draftContent(request, { moment, writer }));
    const saved = await this.personal.apply(caller, {
      fold: draftsFold,
      decide: (drafts) => decideSaveDrafts(drafts, contents),
    });
    return saved.map(({ revision }) => idAtRevision(revision));
  }
}
