import type { Reactor } from '../../projections/engine/reactor.js';
import type { DirectoryFollower } from '../directory/directory-follower.js';
import type { EventOf, RecordedEvent } from '../kernel/event.js';
import type { MessageDeleted } from '../messages/events.js';
import type { Erasing } from './erasing.js';

type Deleted = RecordedEvent<EventOf<typeof MessageDeleted>>;

/** Waits until the read model of messages has passed an event: until then it still holds what was deleted. */
export type MessagesHavePassed = (event: RecordedEvent) => Promise<boolean>;

/** Where the organization wants deleted messages erased, erases them; replies wait for it. */
export class EraseMessages implements Reactor {
  readonly name = 'erase-messages';
  readonly on = {
    MessageDeleted: (event: RecordedEvent) => this.erase(event as unknown as Deleted),
  };

  constructor(
    private readonly erasing: Erasing,
    private readonly follower: DirectoryFollower,
    private readonly havePassed: MessagesHavePassed,
  ) {}

  private async erase(event: Deleted): Promise<void> {
    const { organization } = this.follower.current();
    if (organization?.settings.message_erasure_policy !== 'erase') return;
    if (!(await this.havePassed(event)))
      throw new Error('The read model of messages still holds what was deleted');
    await this.erasing.message(event.data.messageId, { id: event.id, at: event.metadata.at });
  }
}
