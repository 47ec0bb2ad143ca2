import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import type { Directory } from '../../../access/directory.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/on.js';
import { UserRegistered } from '../../../events/users.js';
import { announcementChannel } from '../announcement-channel.js';
import { noticeTopic, silentMention } from '../notice-texts.js';
import { NoticeSender, type Notice } from '../notices.js';

/** The topic in which new people are announced. */
const signUpsTopic = 'signups';

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

  /** @throws Error when this node's directory does not include the account yet; the engine then retries */
  private async announce(event: Recorded<typeof UserRegistered>): Promise<void> {
    await this.follower.know(event);
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
    to: { channelId: channel.id, topic: noticeTopic(channel, signUpsTopic) },
    content,
    causationId: id,
  };
}
