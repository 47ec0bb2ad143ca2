import { Injectable } from '@nestjs/common';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import type { Caller } from '../../http/caller.js';
import { Decisions } from '../../http/decisions.js';
import { noState } from '../../kernel/decider.js';
import { failure } from '../../kernel/errors.js';
import { stream } from '../../kernel/stream.js';
import { mayAudit } from '../../access/permissions.js';
import { isOwner } from '../../access/records/roles.js';
import type { User } from '../../access/records/user.js';
import { auditsStream } from '../../events/audit.js';
import { decideAudit, type LookedAt } from './audit-access.decide.js';

const audits = stream(auditsStream, noState);

/** Checks that somebody may read the log, and records the access before they see anything. */
@Injectable()
export class AuditAccess {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `insufficientPermission` */
  async note(caller: Caller, audit: LookedAt): Promise<void> {
    const actor = this.auditor(caller);
    const snapshot = this.decisions.snapshot();
    const metadata = requestMetadata(caller, snapshot.now);
    await this.decisions.decideAs(metadata, audits, () => decideAudit({ actor, snapshot }, audit));
  }

  /** @throws ApplicationError `insufficientPermission` */
  auditor({ userId }: Caller): User {
    const snapshot = this.decisions.snapshot();
    const user = snapshot.directory.user(userId);
    if (user === null || !mayAudit(snapshot, user)) throw failure('insufficientPermission');
    return user;
  }

  /** Checks the permission for what only operators may see. @throws ApplicationError `ownerRequired` */
  owner({ userId }: Caller): User {
    const user = this.decisions.snapshot().directory.user(userId);
    if (user === null || !isOwner(user)) throw failure('ownerRequired');
    return user;
  }
}

/** The same for a server that shows the past, where nothing can be recorded. */
@Injectable()
export class UnrecordedAuditAccess extends AuditAccess {
  override async note(caller: Caller): Promise<void> {
    this.auditor(caller);
  }
}
