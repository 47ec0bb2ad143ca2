import { Injectable } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { emailGateway } from '../../access/system-bots.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { Decisions } from '../../http/decisions.js';
import { EmailLookup } from '../../access/email-lookup.js';
import { foldedUsers } from '../users/users.state.js';
import { decideGatewayBot } from './gateway-bot.decide.js';

const { email } = emailGateway;

/** The e-mail gateway: an account of the server's own that sends messages from mail. */
@Injectable()
export class GatewayBot {
  constructor(
    private readonly decisions: Decisions,
    private readonly emails: EmailLookup,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** Its id; null if it does not exist. */
  known(): number | null {
    return this.emails.find(this.follower.current(), email)?.id ?? null;
  }

  /** Its id; creates the account if it does not exist. */
  async id(): Promise<number> {
    const known = this.known();
    if (known !== null) return known;
    const emailDigest = this.emails.digest(email);
    const metadata = serverMetadata(commandIdOf(['email-gateway']), this.clock.now());
    const {
      events: [registered],
    } = await this.decisions.decideAs(metadata, foldedUsers, (state) => decideGatewayBot(state, emailDigest));
    const id =
      registered?.data.userId ?? (await this.decisions.load(foldedUsers)).idsByEmailDigest.get(emailDigest);
    if (id === undefined) throw new Error('The e-mail gateway was not made');
    return id;
  }
}
