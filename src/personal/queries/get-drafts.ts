import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { draftObject, type DraftObject } from '../personal-objects.js';
import { PersonalReader } from '../personal-reader.js';

/** A person's drafts, oldest first (facts, section 6). */
export class GetDrafts extends Query<readonly DraftObject[]> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(GetDrafts)
export class GetDraftsHandler implements IQueryHandler<GetDrafts> {
  constructor(private readonly reader: PersonalReader) {}

  async execute({ caller: { userId } }: GetDrafts): Promise<readonly DraftObject[]> {
    const drafts = await (
      await this.reader.drafts()
    ).find({ userId }, { sort: { timestamp: 1, draftId: 1 } });
    return drafts.map(draftObject);
  }
}
