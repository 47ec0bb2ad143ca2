import { Injectable } from '@nestjs/common';
import { failure } from '../../kernel/errors.js';
import { Accounts } from './accounts.js';
import { Credentials } from './credentials.js';
import type { Acting } from './decisions.js';
import type { UserEvent } from '../../events/users.js';
import { actingUser, type UserDirectory } from './user-directory.js';
import type { User } from '../../access/records/user.js';

/** Who was let in, and the key that they may come back with. */
export interface LoggedIn {
  readonly apiKey: string;
  readonly user: User;
}

/** A person whose account others made joins with their first log-in (specification, "States and transitions"). */
export function decideFirstLogin(state: UserDirectory, { actorId }: Acting): readonly UserEvent[] {
  const { awaitsFirstLogin } = actingUser(state, actorId);
  return awaitsFirstLogin ? [{ type: 'UserFirstLoggedIn', data: { userId: actorId } }] : [];
}

/** Lets people in who have proved who they are, whichever way. */
@Injectable()
export class Admission {
  constructor(
    private readonly credentials: Credentials,
    private readonly accounts: Accounts,
  ) {}

  /**
   * Issues a key to a person.
   *
   * @param client name of the client program
   * @throws ApplicationError `userDeactivated`
   */
  async admit(person: User, client: string): Promise<LoggedIn> {
    if (!person.isActive) throw failure('userDeactivated');
    if (person.awaitsFirstLogin) await this.accounts.decide({ userId: person.id, client }, decideFirstLogin);
    return { apiKey: await this.credentials.issueKey(person, client), user: person };
  }
}
