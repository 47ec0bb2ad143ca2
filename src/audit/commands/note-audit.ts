import { Injectable } from '@nestjs/common';
import { DirectoryFollower } from '../../directory/directory-follower.js';
import { requestMetadata } from '../../event-store/command-metadata.js';
import { FoldedStreams } from '../../event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import { noState } from '../../kernel/decider.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { handle } from '../../kernel/handle.js';
import { SystemClock } from '../../system-clock.js';
import { isOwner } from '../../users/roles.js';
import type { User } from '../../users/user.js';
import { auditsStream, type LogAudited } from '../events.js';

/** What is recorded of an access to the log. */
export type Audit = EventOf<typeof LogAudited>['data'];

/** @throws ApplicationError `ownerRequired` */
export function decideAudit(
  actor: User,
  audit: Omit<Audit, 'userId'>,
): readonly EventOf<typeof LogAudited>[] {
  if (!isOwner(actor)) throw failure('ownerRequired');
  return [{ type: 'LogAudited', data: { userId: actor.id, ...audit } }];
}

/** Lets owners look into the log, and records that they did before they see anything. */
@Injectable()
export class AuditAccess {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** @throws ApplicationError `ownerRequired` */
  async note(caller: Caller, audit: Omit<Audit, 'userId'>): Promise<void> {
    const actor = this.owner(caller);
    await handle(this.streams, {
      stream: auditsStream,
      fold: noState,
      decide: () => decideAudit(actor, audit),
      metadata: requestMetadata(caller, this.clock.now()),
    });
  }

  /** @throws ApplicationError `ownerRequired` */
  owner({ userId }: Caller): User {
    const user = this.follower.current().user(userId);
    if (user === null || !isOwner(user)) throw failure('ownerRequired');
    return user;
  }
}
