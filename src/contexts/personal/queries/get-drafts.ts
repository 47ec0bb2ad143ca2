import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { draftObject } from '../personal-objects.js';
import { Decisions } from '../../../http/decisions.js';
import { assertDraftsKept } from '../drafts.decide.js';
import { PersonalReader } from '../personal-reader.js';
import type { DraftObject } from '../personal.replies.js';

/** A person's drafts, oldest first. */
export class GetDrafts extends Query<readonly DraftObject[]> {
  constructor(
    readonly caller: Caller,
    /** Whether to throw, rather than return none, if the person turned synchronization of drafts off. */
    readonly refuses = false,
  ) {
    super();
  }
}

@QueryHandler(GetDrafts)
export class GetDraftsHandler implements IQueryHandler<GetDrafts> {
  constructor(
    private readonly reader: PersonalReader,
    private readonly decisions: Decisions,
  ) {}

  /** @throws ApplicationError `draftsNotKept` */
  async execute({ caller, refuses }: GetDrafts): Promise<readonly DraftObject[]> {
    const { userId } = caller;
    if (refuses) assertDraftsKept(this.decisions.actor(caller));
    const drafts = await (
      await this.reader.drafts()
    ).find({ userId }, { sort: { timestamp: 1, draftId: 1 } });
    return drafts.map(draftObject);
  }
}
