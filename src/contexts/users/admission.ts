import { foldedUsers } from './users.state.js';
import { Injectable } from '@nestjs/common';
import { failure } from '../../kernel/errors.js';
import { Decisions } from '../../http/decisions.js';
import { Credentials } from './credentials.js';
import type { User } from '../../access/records/user.js';
import { decideFirstLogin } from './keys.decide.js';

/** Who was let in, and the key that they may come back with. */
export interface LoggedIn {
  readonly apiKey: string;
  readonly user: User;
}

/** Lets people in who have proved who they are, whichever way. */
@Injectable()
export class Admission {
  constructor(
    private readonly credentials: Credentials,
    private readonly decisions: Decisions,
  ) {}

  /**
   * Issues a key to a person.
   *
   * @param client name of the client program
   * @throws ApplicationError `userDeactivated`
   */
  async admit(person: User, client: string): Promise<LoggedIn> {
    if (!person.isActive) throw failure('userDeactivated');
    if (person.awaitsFirstLogin)
      await this.decisions.decide({ userId: person.id, client }, foldedUsers, decideFirstLogin);
    return { apiKey: await this.credentials.issueKey(person, client), user: person };
  }
}
