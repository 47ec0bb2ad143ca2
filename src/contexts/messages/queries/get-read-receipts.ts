import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { knownTo, possibleReaders, readersAmong } from '../flags/read-receipts.js';
import { MessageReader } from '../message-reader.js';

/**
 * Finds out who has read a message (`GET /messages/{message_id}/read_receipts`). Returns ids in rising order.
 */
export class GetReadReceipts extends Query<readonly number[]> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
  ) {
    super();
  }
}

@QueryHandler(GetReadReceipts)
export class GetReadReceiptsHandler implements IQueryHandler<GetReadReceipts> {
  constructor(private readonly messages: MessageReader) {}

  /**
   * @throws ApplicationError `invalidMessage`; `readReceiptsDisabled` where the organization turned read
   * receipts off
   */
  async execute({ caller, messageId }: GetReadReceipts): Promise<readonly number[]> {
    const session = await this.messages.open(caller);
    const { snapshot, arrivals, attention } = session.context;
    if (snapshot.directory.organization?.settings.enable_read_receipts !== true) {
      throw failure('readReceiptsDisabled');
    }
    const message = await session.locate(messageId);
    if (message === null) throw failure('invalidMessage');
    const inquirer = {
      mutedIds: new Set(attention.mutedPeople.map(({ userId }) => userId)),
      mutedByIds: new Set(await this.messages.mutersOf(caller.userId)),
    };
    const people = knownTo(inquirer, possibleReaders({ snapshot, arrivals }, message));
    const flags = await this.messages.flagsOfAll(people.map(({ id }) => id));
    return readersAmong(people, message, { snapshot, arrivals, flags });
  }
}
