import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../background-work.js';
import { DirectoryFollower } from '../../directory/directory-follower.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { createdTogether } from '../channel-directory.js';
import { noticesFor, type NoticedEvent } from '../channel-notices.js';
import { ChannelStreams } from '../channel-streams.js';
import { channelDirectoryEvents, UsersSubscribed } from '../events.js';
import { NoticeSender } from '../notices.js';

/** Lets the notification bot tell what became of channels, and of whom somebody else subscribed. */
@Injectable()
@RunsAsReactor({ awaited: true })
export class SendChannelNotices implements Reactor {
  readonly name = 'channel-notices';
  readonly on = Object.fromEntries(
    [...channelDirectoryEvents, UsersSubscribed].map(({ type }) => [
      type,
      (event: RecordedEvent) => this.notify(event as unknown as RecordedEvent<NoticedEvent>),
    ]),
  );

  constructor(
    private readonly follower: DirectoryFollower,
    private readonly streams: ChannelStreams,
    private readonly sender: NoticeSender,
  ) {}

  /** @throws Error when this node's directory does not know of the event yet; the engine then asks again */
  private async notify(event: RecordedEvent<NoticedEvent>): Promise<void> {
    await this.follower.know(event);
    const together =
      event.type === 'ChannelCreated' ? createdTogether(await this.streams.directory(), event) : [];
    for (const notice of noticesFor(event, this.follower.current(), together)) await this.sender.send(notice);
  }
}
