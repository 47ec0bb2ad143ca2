import { Injectable } from '@nestjs/common';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { Moment } from '../../access/moment.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import type { EventMetadata } from '../../kernel/event.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { EmailLookup } from '../users/email-lookup.js';
import type { User } from '../../access/records/user.js';

/** Who acts, and all that exists and holds at that moment. */
export interface Acting {
  readonly moment: Moment;
  readonly user: User;
}

/** A person as clients name them: by id or by e-mail address. */
export type Principal = number | string;

/** Resolves whoever a request comes from and whomever it names. */
@Injectable()
export class Actors {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly emails: EmailLookup,
    private readonly clock: SystemClock,
  ) {}

  /** @throws ApplicationError `accountDeactivated` when the account is gone */
  acting({ userId }: Pick<Caller, 'userId'>): Acting {
    const moment: Moment = { directory: this.follower.current(), now: this.clock.now() };
    const caller = moment.directory.user(userId);
    if (caller?.isActive !== true) throw failure('accountDeactivated');
    return { moment, user: caller };
  }

  /** Ids of those whom a request is about: the people whom it names, else the caller. See {@link userIds}. */
  subjectIds(principals: readonly Principal[], acting: Acting): number[] {
    return principals.length === 0 ? [acting.user.id] : this.userIds(principals, acting);
  }

  /**
   * Ids of the people whom a request names, each once.
   *
   * @throws ApplicationError `noSuchUser` also for accounts that are not active
   */
  userIds(principals: readonly Principal[], { moment, user: caller }: Acting): number[] {
    const ids = principals.map((principal) => {
      const user =
        typeof principal === 'number'
          ? moment.directory.user(principal)
          : this.emails.findFor(caller, moment.directory, principal);
      if (user?.isActive !== true || user.bot?.isSystem === true) throw failure('noSuchUser');
      return user.id;
    });
    return [...new Set(ids)];
  }

  /** What the log is told of a command that nobody can send again. */
  metadata({ client }: Caller, { moment, user: caller }: Acting): EventMetadata {
    return requestMetadata({ userId: caller.id, client }, moment.now);
  }
}
