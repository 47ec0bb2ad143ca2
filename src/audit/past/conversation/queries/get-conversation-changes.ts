import type { IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { conversationChanges, type ChangesPage, type ConversationChanges } from '../changes.js';
import { PastSources } from '../../past-sources.js';
import { Query, QueryHandler } from '../../../../runtime/nest-decorators.js';

/** Lists the changes of a conversation. The caller checks the permission and records the access. */
export class GetConversationChanges extends Query<ConversationChanges> {
  constructor(
    readonly caller: Caller,
    readonly page: ChangesPage,
  ) {
    super();
  }
}

@QueryHandler(GetConversationChanges)
export class GetConversationChangesHandler implements IQueryHandler<GetConversationChanges> {
  constructor(private readonly sources: PastSources) {}

  /** @throws like {@link conversationChanges} */
  execute({ page }: GetConversationChanges): Promise<ConversationChanges> {
    return conversationChanges(this.sources, page);
  }
}
