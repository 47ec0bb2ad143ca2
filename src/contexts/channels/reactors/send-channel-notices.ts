import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { on } from '../../../kernel/event-handlers.js';
import { createdTogether } from '../channels.state.js';
import { noticesFor, type NoticedEvent } from '../channel-notices.js';
import { ChannelStreams } from '../channel-streams.js';
import { channelDirectoryEvents } from '../../../events/channels.js';
import { UsersSubscribed } from '../../../events/subscriptions.js';
import { NoticeSender } from '../notices.js';

/** How many notices of one request are sent concurrently. */
const NOTICES_AT_ONCE = 8;

/**
 * Makes the notification bot announce changes of channels, and subscriptions that somebody made for others.
 */
@Injectable()
@RunsAsReactor({ awaited: true })
export class SendChannelNotices implements Reactor {
  readonly name = 'channel-notices';
  readonly on = on([...channelDirectoryEvents, UsersSubscribed], (event) => this.notify(event));

  /** Notices about one channel are sent in order. */
  readonly partitionOf = ({ data }: RecordedEvent): number => (data as NoticedEvent['data']).channelId;

  constructor(
    private readonly follower: DirectoryFollower,
    private readonly streams: ChannelStreams,
    private readonly sender: NoticeSender,
  ) {}

  /** @throws ModelBehindError when this node's directory does not include the event yet; the engine then retries */
  private async notify(event: RecordedEvent<NoticedEvent>): Promise<void> {
    await this.follower.waitForEvent(event);
    const together =
      event.type === 'ChannelCreated'
        ? createdTogether(await this.streams.directoryWith(event.data.channelId), event)
        : [];
    const limit = pLimit(NOTICES_AT_ONCE);
    const notices = noticesFor(event, this.follower.current(), together);
    await limit.map(notices, (notice) => this.sender.send(notice));
  }
}
