import { foldedUsers } from './users.state.js';
import { Injectable } from '@nestjs/common';
import type { RequestOrigin } from '../../http/authentication/request-origin.js';
import { failure } from '../../kernel/errors.js';
import { Decisions } from '../../http/decisions.js';
import { Credentials } from './credentials.js';
import type { LoggedIn as LoggedInEvent } from '../../events/security.js';
import type { EventOf } from '../../kernel/event.js';
import { FailedLogIns } from './security/failed-log-ins.js';
import { SecurityRecords } from './security/security-records.js';
import { decideRecordLogIn } from './security/security-records.decide.js';
import type { User } from '../../access/records/user.js';
import { decideFirstLogin } from './keys.decide.js';

/** The person who logged in, and their new API key. */
export interface LoggedIn {
  readonly apiKey: string;
  readonly user: User;
}

/** The proven identity: the log-in method, and where the request came from. */
interface Proved {
  readonly method: EventOf<typeof LoggedInEvent>['data']['method'];
  readonly origin: RequestOrigin;
}

/** Logs people in who have proven their identity, by any method. */
@Injectable()
export class Admission {
  constructor(
    private readonly credentials: Credentials,
    private readonly decisions: Decisions,
    private readonly records: SecurityRecords,
    private readonly failures: FailedLogIns,
  ) {}

  /**
   * Issues a key to a person. It is recorded before the key is returned, so every key in use has a record.
   *
   * @throws ApplicationError `userDeactivated`
   */
  async admit(person: User, { method, origin }: Proved): Promise<LoggedIn> {
    const { id: userId, isActive, awaitsFirstLogin } = person;
    if (!isActive) {
      this.failures.note(person, { reason: 'deactivated', ...origin });
      throw failure('userDeactivated');
    }
    const { client } = origin;
    if (awaitsFirstLogin) await this.decisions.decide({ userId, client }, foldedUsers, decideFirstLogin);
    const { key, id: keyId, displacedIds } = await this.credentials.issueKey(person, client);
    await this.failures.recordAll(userId);
    await this.records.record(decideRecordLogIn({ userId, method, keyId, displacedIds }, origin), userId);
    return { apiKey: key, user: person };
  }
}
