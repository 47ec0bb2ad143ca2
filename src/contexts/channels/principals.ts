import { Injectable } from '@nestjs/common';
import type { Actor } from '../../access/actor.js';
import { failure } from '../../kernel/errors.js';
import { EmailLookup } from '../../access/email-lookup.js';

/** A person as clients name them: by id or by e-mail address. */
export type Principal = number | string;

/** Resolves the people whom a request names. */
@Injectable()
export class Principals {
  constructor(private readonly emails: EmailLookup) {}

  /** Ids of the people whom a request names, or else of the caller. See {@link userIds}. */
  subjectIds(principals: readonly Principal[], actor: Actor): number[] {
    return principals.length === 0 ? [actor.user.id] : this.userIds(principals, actor);
  }

  /**
   * Ids of the people whom a request names, each once.
   *
   * @throws ApplicationError `noSuchUser`, also for accounts that are not active
   */
  userIds(principals: readonly Principal[], { snapshot, user: caller }: Actor): number[] {
    const ids = principals.map((principal) => {
      const user = this.emails.named(caller, snapshot.directory, principal);
      if (user?.isActive !== true || user.bot?.isSystem === true) throw failure('noSuchUser');
      return user.id;
    });
    return [...new Set(ids)];
  }
}
