import { Injectable } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { caseStream, type CaseEvent, type CaseScope } from '../../events/cases.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { failure } from '../../kernel/errors.js';
import { handle, type FoldedStream } from '../../kernel/handle.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { requestMetadata, serverMetadata } from '../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../stores/event-store/event-id.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import { AuditAccess } from '../commands/note-audit.js';
import { decideCreateCase, knownCase, type Asking } from './case.decide.js';
import { caseFold, type Case, type CaseDescription } from './case.state.js';

/** Who works on a case: an auditor over HTTP, or an operator, by the operating system's account, on the command line. */
export type CaseWorker = { readonly caller: Caller } | { readonly operator: string };

/** The cases of the organization, as their streams tell. */
@Injectable()
export class Cases {
  /** So many there are at least. */
  private known = 0;

  constructor(
    private readonly streams: FoldedStreams,
    private readonly clock: SystemClock,
    private readonly access: AuditAccess,
    private readonly follower: DirectoryFollower,
  ) {}

  /** Every case, in the order in which they were created. @throws ApplicationError `insufficientPermission` */
  async all(worker: CaseWorker): Promise<readonly Case[]> {
    this.admit(worker);
    const found: Case[] = [];
    for (let id = 1; ; id += 1) {
      const state = await this.load(id);
      if (state === null) break;
      found.push(state);
    }
    this.known = Math.max(this.known, found.length);
    return found;
  }

  /** @throws ApplicationError `insufficientPermission`, `noSuchCase` */
  async get(worker: CaseWorker, caseId: number): Promise<Case> {
    this.admit(worker);
    return knownCase(await this.load(caseId));
  }

  /**
   * Creates a case. Answers its number.
   *
   * @throws ApplicationError `insufficientPermission`, and those of {@link decideCreateCase}
   */
  async create(worker: CaseWorker, description: CaseDescription): Promise<number> {
    this.admit(worker);
    this.refuseUnknown(description.scope);
    for (let id = this.known + 1; ; id += 1) {
      let isTaken = false;
      await this.append(id, worker, (state, asking) => {
        isTaken = state !== null;
        return isTaken ? [] : decideCreateCase(id, description, asking);
      });
      this.known = Math.max(this.known, id);
      if (!isTaken) return id;
    }
  }

  /**
   * Appends what a rule makes of a case. Answers what it then is.
   *
   * @throws ApplicationError `insufficientPermission`, and what the rule refuses with
   */
  async change(
    worker: CaseWorker,
    caseId: number,
    decide: (state: Case | null, asking: Asking) => readonly CaseEvent[],
  ): Promise<Case> {
    this.admit(worker);
    await this.append(caseId, worker, decide);
    return knownCase(await this.load(caseId));
  }

  /** @throws ApplicationError `noSuchUser`, `noSuchChannel` for what a scope names that does not exist */
  refuseUnknown({ userIds = [], channelIds = [] }: Partial<CaseScope>): void {
    const directory = this.follower.current();
    if (userIds.some((id) => directory.user(id) === null)) throw failure('noSuchUser');
    if (channelIds.some((id) => directory.channel(id) === null)) throw failure('invalidChannel');
  }

  private async append(
    caseId: number,
    worker: CaseWorker,
    decide: (state: Case | null, asking: Asking) => readonly CaseEvent[],
  ): Promise<void> {
    const now = this.clock.now();
    const isOperator = 'operator' in worker;
    await handle(this.streams, {
      ...folded(caseId),
      decide: (state: Case | null) => decide(state, { operator: isOperator ? worker.operator : null }),
      metadata: isOperator ? serverMetadata(randomCommandId(), now) : requestMetadata(worker.caller, now),
    });
  }

  /** Whoever has the command line has the log: it is only recorded who that was. */
  private admit(worker: CaseWorker): void {
    if ('caller' in worker) this.access.auditor(worker.caller);
  }

  private async load(caseId: number): Promise<Case | null> {
    return (await this.streams.load(folded(caseId))).state;
  }
}

function folded(caseId: number): FoldedStream<Case | null, RecordedEvent<CaseEvent>> {
  return { stream: caseStream(caseId), fold: caseFold };
}
