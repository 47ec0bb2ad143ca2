import { caseStream, type CaseEvent, type CaseScope } from '../../events/cases.js';
import { failure } from '../../kernel/errors.js';
import { streamsOf } from '../../kernel/decision.js';
import { requestMetadata, serverMetadata } from '../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../stores/event-store/event-id.js';
import type { Caller } from '../../http/caller.js';
import { Decisions } from '../../http/decisions.js';
import { AuditAccess } from '../commands/audit-access.js';
import { decideCreateCase, knownCase, type CaseActor } from './case.decide.js';
import { caseFold, type Case, type CaseDescription } from './case.state.js';
import { Injectable } from '../../runtime/nest-decorators.js';

const caseOf = streamsOf(caseStream, caseFold);

/**
 * Who works on a case: an auditor over HTTP, or an operator on the command line, named by the account of the operating
 * system.
 */
type CaseWorker = { readonly caller: Caller } | { readonly operator: string };

/** The cases of the organization, read from their streams. */
@Injectable()
export class Cases {
  /** At least this many cases exist. */
  private known = 0;

  constructor(
    private readonly decisions: Decisions,
    private readonly access: AuditAccess,
  ) {}

  /** Returns every case in the order of creation. @throws ApplicationError `insufficientPermission` */
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
   * Creates a case and returns its number.
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
   * Appends the events that a decider returns, and returns the case after them.
   *
   * @throws ApplicationError `insufficientPermission`, and those of the decider
   */
  async change(
    worker: CaseWorker,
    caseId: number,
    decide: (state: Case | null, asking: CaseActor) => readonly CaseEvent[],
  ): Promise<Case> {
    this.admit(worker);
    await this.append(caseId, worker, decide);
    return knownCase(await this.load(caseId));
  }

  /**
   * @throws ApplicationError `noSuchUser` or `invalidChannel` when a scope names a person or a channel that does not
   *   exist
   */
  refuseUnknown({ userIds = [], channelIds = [] }: Partial<CaseScope>): void {
    const { directory } = this.decisions.snapshot();
    if (userIds.some((id) => directory.user(id) === null)) throw failure('noSuchUser');
    if (channelIds.some((id) => directory.channel(id) === null)) throw failure('invalidChannel');
  }

  private async append(
    caseId: number,
    worker: CaseWorker,
    decide: (state: Case | null, asking: CaseActor) => readonly CaseEvent[],
  ): Promise<void> {
    const { now } = this.decisions.snapshot();
    const isOperator = 'operator' in worker;
    const metadata = isOperator
      ? serverMetadata(randomCommandId(), now)
      : requestMetadata(worker.caller, now);
    const asking = { operator: isOperator ? worker.operator : null };
    await this.decisions.record(metadata, caseOf(caseId), (state) => decide(state, asking));
  }

  /** An operator on the command line has the whole log anyway, so only their account is recorded. */
  private admit(worker: CaseWorker): void {
    if ('caller' in worker) this.access.auditor(worker.caller);
  }

  private async load(caseId: number): Promise<Case | null> {
    return this.decisions.load(caseOf(caseId));
  }
}
