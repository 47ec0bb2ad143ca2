import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { Decisions } from '../../../http/decisions.js';
import type { Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/event-handlers.js';
import type { Filter } from '../../../stores/read-store/port.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { UserDeletionRequested } from '../../../events/deactivation.js';
import type { MessageToDelete } from '../deletion/deletion.decide.js';
import { deleteByServer, deletionFields } from '../deletion/message-deletion.js';
import type { MessageDocument } from '../message-document.js';
import { MessageReader } from '../message-reader.js';

/** How many messages are looked up, and deleted, at a time. */
const PAGE_SIZE = 100;

/**
 * Deletes the messages of a person who is to be deleted. If it is interrupted it begins again and finds the
 * messages that are left.
 */
@Injectable()
@RunsAsReactor()
export class DeleteMessagesOfDeleted implements Reactor {
  readonly name = 'delete-messages-of-deleted';
  readonly on = on(UserDeletionRequested, (event) => this.delete(event));

  constructor(
    private readonly messages: MessageReader,
    private readonly decisions: Decisions,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  private async delete(event: Recorded<typeof UserDeletionRequested>): Promise<void> {
    for (const place of this.placesOf(event)) await this.deleteFrom(place, event);
  }

  /** Each filter is served by one index, in the order of ids. */
  private placesOf({ data }: Recorded<typeof UserDeletionRequested>): readonly Filter[] {
    const { userId: senderId, publicChannelMessages, privateChannelMessages, directMessages } = data;
    const channels = [...this.follower.current().channels()].filter(({ privacy }) =>
      privacy.inviteOnly ? privateChannelMessages : publicChannelMessages,
    );
    return [
      ...channels.map(({ id: channelId }) => ({ senderId, channelId })),
      ...(directMessages ? [{ participantIds: senderId, senderId }] : []),
    ];
  }

  private async deleteFrom(place: Filter, event: Recorded<typeof UserDeletionRequested>): Promise<void> {
    const collection = (await this.messages.model()).collection<MessageDocument>('messages');
    for (let after = 0; ;) {
      const page: readonly MessageToDelete[] = await collection.find(
        { ...place, _id: { $gt: after } },
        { sort: { _id: 1 }, limit: PAGE_SIZE, projection: deletionFields },
      );
      await Promise.all(page.map((message) => this.deleteOne(message, event)));
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_SIZE) return;
      after = last._id;
    }
  }

  private deleteOne(
    message: MessageToDelete,
    { id: causationId }: Recorded<typeof UserDeletionRequested>,
  ): Promise<void> {
    const commandId = commandIdOf([this.name, causationId, String(message._id)]);
    return deleteByServer(this.decisions, message, { commandId, causationId, at: this.clock.now() });
  }
}
