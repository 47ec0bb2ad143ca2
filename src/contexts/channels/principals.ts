import { Injectable } from '@nestjs/common';
import type { Actor } from '../../access/actor.js';
import { failure } from '../../kernel/errors.js';
import { EmailLookup } from '../../access/email-lookup.js';
import { KnownPeople } from '../../access/known-people.js';
import { SharedTimeSlice } from '../../runtime/time-slice.js';

/** A person as clients name them: by id or by e-mail address. */
export type Principal = number | string;

/** Resolves the people whom a request names. */
@Injectable()
export class Principals {
  constructor(
    private readonly emails: EmailLookup,
    private readonly people: KnownPeople,
  ) {}

  /** Ids of the people whom a request names, or else of the caller. See {@link userIds}. */
  async subjectIds(principals: readonly Principal[], actor: Actor): Promise<number[]> {
    return principals.length === 0 ? [actor.user.id] : this.userIds(principals, actor);
  }

  /**
   * Ids of the people whom a request names, each once.
   *
   * @throws ApplicationError `noSuchUser`, also for accounts that are not active or that the caller may not know
   */
  async userIds(principals: readonly Principal[], { snapshot, user: caller }: Actor): Promise<number[]> {
    const knows = await this.people.predicateFor(caller, snapshot);
    const ids = new Set<number>();
    // Each address takes a keyed digest.
    const slice = new SharedTimeSlice();
    for (const principal of principals) {
      if (slice.isOver) await slice.next();
      const user = this.emails.findByIdOrEmail(caller, snapshot.directory, principal);
      if (user?.isActive !== true || user.bot?.isSystem === true || !knows(user)) throw failure('noSuchUser');
      ids.add(user.id);
    }
    return [...ids];
  }
}
