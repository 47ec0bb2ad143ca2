import { Injectable } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import { noState } from '../../kernel/decider.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { handle } from '../../kernel/handle.js';
import { SystemClock } from '../../runtime/system-clock.js';
import type { Moment } from '../../access/moment.js';
import { mayAudit } from '../../access/permissions.js';
import { isOwner } from '../../access/records/roles.js';
import type { User } from '../../access/records/user.js';
import { auditsStream, type LogAudited } from '../../events/audit.js';

/** What is recorded of an access to the log. */
export type Audit = EventOf<typeof LogAudited>['data'];

/** What of it whoever looks says. */
export type LookedAt = Omit<Audit, 'userId' | 'operator'>;

/** @throws ApplicationError `insufficientPermission` */
export function decideAudit(
  { actor, moment }: { readonly actor: User; readonly moment: Moment },
  audit: LookedAt,
): readonly EventOf<typeof LogAudited>[] {
  if (!mayAudit(moment, actor)) throw failure('insufficientPermission');
  return [{ type: 'LogAudited', data: { userId: actor.id, operator: null, ...audit } }];
}

/** Lets whom the organization permits it look into the log, and records that they did before they see anything. */
@Injectable()
export class AuditAccess {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** @throws ApplicationError `insufficientPermission` */
  async note(caller: Caller, audit: LookedAt): Promise<void> {
    const actor = this.auditor(caller);
    const moment = this.moment();
    await handle(this.streams, {
      stream: auditsStream,
      fold: noState,
      decide: () => decideAudit({ actor, moment }, audit),
      metadata: requestMetadata(caller, this.clock.now()),
    });
  }

  /** @throws ApplicationError `insufficientPermission` */
  auditor({ userId }: Caller): User {
    const moment = this.moment();
    const user = moment.directory.user(userId);
    if (user === null || !mayAudit(moment, user)) throw failure('insufficientPermission');
    return user;
  }

  /**
   * For what only operators see.
   *
   * @throws ApplicationError `ownerRequired`
   */
  owner({ userId }: Caller): User {
    const user = this.follower.current().user(userId);
    if (user === null || !isOwner(user)) throw failure('ownerRequired');
    return user;
  }

  private moment(): Moment {
    return { directory: this.follower.current(), now: this.clock.now() };
  }
}

/** The same where nothing can be recorded: in the past. */
@Injectable()
export class UnrecordedAuditAccess extends AuditAccess {
  override async note(caller: Caller): Promise<void> {
    this.auditor(caller);
  }
}
