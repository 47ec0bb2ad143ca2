import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { directoryEventTypes } from '../../access/directory-event-types.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import { Authenticator } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { Credentials } from './credentials.js';
import { EmailLookup } from '../../access/email-lookup.js';
import type { User } from '../../access/records/user.js';

/**
 * Maximum wait, in milliseconds, until this node knows the account of a key that another node has just
 * created.
 */
const CATCH_UP_MILLISECONDS = 2_000;

/** Authenticates by an API key together with the address of its account. */
@Injectable()
export class ApiKeyAuthenticator extends Authenticator {
  constructor(
    private readonly credentials: Credentials,
    private readonly emails: EmailLookup,
    private readonly follower: DirectoryFollower,
    private readonly log: EventLog,
  ) {
    super();
  }

  /**
   * The key is checked before the account, so that nobody learns about an account without one of its keys.
   */
  override async authenticate(email: string, apiKey: string): Promise<number> {
    const userId = await this.credentials.ownerOf(apiKey);
    const user = userId === null ? null : await this.account(userId);
    if (user === null || !isSame(user.emailDigest, this.emails.digest(email))) {
      throw failure('invalidApiKey');
    }
    if (!user.isActive) throw failure('accountDeactivated');
    return user.id;
  }

  /** Only for bots: URLs are seen by more people than the owner of the key. */
  override async authenticateByKey(apiKey: string): Promise<number> {
    const userId = await this.credentials.ownerOf(apiKey);
    const user = userId === null ? null : await this.account(userId);
    if (user?.isActive !== true || user.bot === null) {
      throw failure('invalidApiKey');
    }
    return user.id;
  }

  override isDeactivated(): boolean {
    return this.follower.current().isDeactivated;
  }

  private async account(userId: number): Promise<User | null> {
    const known = this.follower.current().user(userId);
    if (known !== null) return known;
    const position = await this.log.store.head();
    if (position === null) return null;
    await this.follower.waitUntil({ position, types: [...directoryEventTypes] }, CATCH_UP_MILLISECONDS);
    return this.follower.current().user(userId);
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
