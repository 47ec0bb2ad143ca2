import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import type { EventMetadata, Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/on.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { UserRegistered } from '../../../events/users.js';
import { roles } from '../../../access/records/roles.js';
import { ChannelStreams } from '../channel-streams.js';
import { decideDefaultSubscription } from '../subscribing.decide.js';

const name = 'subscribe-new-people';

/** Subscribes new people to the default channels. Guests and bots are subscribed by others. */
@Injectable()
@RunsAsReactor({ awaited: true })
export class SubscribeNewPeople implements Reactor {
  readonly name = name;
  readonly on = on(UserRegistered, (event) => this.subscribe(event));

  constructor(
    private readonly streams: ChannelStreams,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** @throws Error when this node's directory does not include the account yet; the engine then retries */
  private async subscribe(event: Recorded<typeof UserRegistered>): Promise<void> {
    const { bot, role, userId } = event.data;
    if (bot !== null || role === roles.guest) return;
    // The account comes from an invitation, which names its channels itself.
    if (event.metadata.causationId !== null) return;
    await this.follower.know(event);
    const afterMessageId = await this.streams.lastMessageId();
    for (const { id: channelId, isDefault } of [...this.follower.current().channels()]) {
      if (!isDefault) continue;
      await this.streams.inChannel(channelId, this.metadata(event, channelId), (state) =>
        decideDefaultSubscription(state, { channelId, userId, afterMessageId, causeId: event.id }),
      );
    }
  }

  private metadata({ id, metadata }: Recorded<typeof UserRegistered>, channelId: number): EventMetadata {
    return {
      ...metadata,
      actorId: null,
      commandId: commandIdOf([name, id, String(channelId)]),
      causationId: id,
      at: this.clock.now(),
    };
  }
}
