import { Injectable } from '@nestjs/common';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import type { Directory } from '../../../access/directory.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { roles } from '../../../access/records/roles.js';
import { UserRegistered } from '../../../events/users.js';
import type { EventMetadata, Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/event-handlers.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { ChannelStreams } from '../channel-streams.js';
import { noticeTopic, silentMention } from '../notice-texts.js';
import { announcementChannel, NoticeSender, type Notice } from '../notices.js';
import { decideDefaultSubscription } from '../subscribing.decide.js';

/** The topic in which new people are announced. */
const SIGN_UPS_TOPIC = 'signups';

/** Announces new people where the organization wants that. */
@Injectable()
@RunsAsReactor()
export class AnnounceNewPeople implements Reactor {
  readonly name = 'announce-new-people';
  readonly on = on(UserRegistered, (event) => this.announce(event));

  constructor(
    private readonly follower: DirectoryFollower,
    private readonly sender: NoticeSender,
  ) {}

  /** @throws ModelBehindError when this node's directory does not include the account yet; the engine then retries */
  private async announce(event: Recorded<typeof UserRegistered>): Promise<void> {
    await this.follower.waitForEvent(event);
    const notice = signUpNotice(event, this.follower.current());
    if (notice !== null) await this.sender.send(notice);
  }
}

/** The announcement of a new account; null for bots, and where the organization wants none. */
function signUpNotice({ id, data }: Recorded<typeof UserRegistered>, directory: Directory): Notice | null {
  const channel = announcementChannel(directory, 'signup_announcements_stream_id');
  if (data.bot !== null || channel === null) return null;
  const content = `${silentMention(directory, data.userId)} joined this organization.`;
  return {
    to: { channelId: channel.id, topic: noticeTopic(channel, SIGN_UPS_TOPIC) },
    content,
    causationId: id,
  };
}

const NAME = 'subscribe-new-people';

/** Subscribes new people to the default channels. Guests and bots are subscribed by others. */
@Injectable()
@RunsAsReactor({ awaited: true })
export class SubscribeNewPeople implements Reactor {
  readonly name = NAME;
  readonly on = on(UserRegistered, (event) => this.subscribe(event));

  constructor(
    private readonly streams: ChannelStreams,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** @throws ModelBehindError when this node's directory does not include the account yet; the engine then retries */
  private async subscribe(event: Recorded<typeof UserRegistered>): Promise<void> {
    const { bot, role, userId } = event.data;
    if (bot !== null || role === roles.guest) return;
    // The account comes from an invitation, which names its channels itself.
    if (event.metadata.causationId !== null) return;
    await this.follower.waitForEvent(event);
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
      commandId: commandIdOf([NAME, id, String(channelId)]),
      causationId: id,
      at: this.clock.now(),
    };
  }
}
