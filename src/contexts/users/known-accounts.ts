import { Injectable } from '@nestjs/common';
import type { Directory } from '../../access/directory.js';
import { EmailLookup } from '../../access/email-lookup.js';
import type { User } from '../../access/records/user.js';
import type { Caller } from '../../http/caller.js';
import { Decisions } from '../../http/decisions.js';
import { KnownPeople } from './known-people.js';

/** An account that somebody asks for, as far as they may know it. */
export interface KnownAccount {
  /** Null: it does not exist, or the caller may not know it. */
  readonly user: User | null;
  readonly viewer: User;
  readonly directory: Directory;
}

/** Finds accounts, the server's own included, as far as the caller may know them. */
@Injectable()
export class KnownAccounts {
  constructor(
    private readonly decisions: Decisions,
    private readonly emails: EmailLookup,
    private readonly people: KnownPeople,
  ) {}

  /**
   * @param whom an id or an e-mail address
   * @throws ApplicationError `accountDeactivated` when the caller's account is gone
   */
  async find(caller: Pick<Caller, 'userId'>, whom: number | string): Promise<KnownAccount> {
    const snapshot = this.decisions.snapshot();
    const { directory } = snapshot;
    const viewer = this.decisions.actor(caller).user;
    const user = this.emails.named(viewer, directory, whom);
    const knows = await this.people.to(viewer, snapshot);
    return { user: user !== null && knows(user) ? user : null, viewer, directory };
  }
}
