import { mayAudit } from '../../access/permissions.js';
import { isOwner } from '../../access/records/roles.js';
import type { User } from '../../access/records/user.js';
import { AUDITS_STREAM, LogAudited } from '../../events/audit.js';
import type { Caller } from '../../http/caller.js';
import { Decisions } from '../../http/decisions.js';
import type { Clock } from '../../kernel/clock.js';
import { noState } from '../../kernel/fold.js';
import { stream, type Streams } from '../../kernel/decision.js';
import { failure } from '../../kernel/errors.js';
import { handle } from '../../kernel/handle.js';
import type { ControlCommands } from '../../operations/control-socket.js';
import { Injectable } from '../../runtime/nest-decorators.js';
import { requestMetadata, serverMetadata } from '../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../stores/event-store/event-id.js';
import { decideAuditAccess, decideOperatorAuditAccess, type AuditedAccess } from './audit-access.decide.js';

/** Name of the control command that records an access. */
export const RECORD_AUDIT_ACCESS = 'audit note';

/**
 * Records in the log what operators read on the command line, and with which account. It does without {@link Decisions},
 * because the command line also records while no server runs: there is no directory then, and no reader to wait for.
 */
export class OperatorAuditAccess {
  constructor(
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** The event is in the log when this resolves. @param operator account of the operating system */
  async record(access: AuditedAccess, operator: string): Promise<void> {
    await handle(this.streams, {
      stream: AUDITS_STREAM,
      fold: noState,
      decide: () => decideOperatorAuditAccess(operator, access),
      metadata: serverMetadata(randomCommandId(), this.clock.now()),
    });
  }

  /** The control command by which the command line asks for it. */
  get commands(): ControlCommands {
    return {
      [RECORD_AUDIT_ACCESS]: {
        concurrent: async ({ access, operator }) => {
          const {
            userId: _nobody,
            operator: account,
            ...recorded
          } = LogAudited.schema.parse({
            userId: null,
            operator,
            ...(access as object),
          });
          await this.record(recorded, account ?? 'unknown');
        },
      },
    };
  }
}

const audits = stream(AUDITS_STREAM, noState);

/** Checks that somebody may read the log, and records the access before they see anything. */
@Injectable()
export class AuditAccess {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `insufficientPermission` */
  async record(caller: Caller, audit: AuditedAccess): Promise<void> {
    const actor = this.auditor(caller);
    const snapshot = this.decisions.snapshot();
    const metadata = requestMetadata(caller, snapshot.now);
    await this.decisions.record(metadata, audits, () => decideAuditAccess({ actor, snapshot }, audit));
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
  override async record(caller: Caller): Promise<void> {
    this.auditor(caller);
  }
}
