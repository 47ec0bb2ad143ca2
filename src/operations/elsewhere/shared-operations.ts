import type { EventReference } from '../../../projections/engine/poison-event.js';
import type { RestoredEvents } from '../../../projections/engine/projection-host.js';
import type { RunningBuild } from '../../../projections/engine/projector-protocol.js';
import type { ReactorStatus } from '../../../projections/engine/reactor-status.js';
import type { ModelOperation } from '../../events/operations.js';
import type { NamedEvent } from '../dead-letters.js';
import {
  anywhere,
  ofReactors,
  ProjectionOperations,
  type ProjectionOperationsOptions,
} from '../projection-operations.js';
import type { RebuildProgress, RebuildRequest } from '../rebuilds.js';
import type { KnownModel } from '../projection-report.js';
import type { ActsOrdered } from './acts-ordered.js';
import type { Act, ReportRebuild } from './acts.js';
import type { ReportedStates } from './kept-state.js';
import { modelsKnown, reactorsKnown } from './known-states.js';

/** The other processes of an installation. */
interface OtherProcesses {
  /** What they reported. */
  readonly states: Pick<ReportedStates, 'model' | 'reactor' | 'builds'>;
  /** What they are asked to carry out. */
  readonly acts: Pick<ActsOrdered, 'order'>;
}

/** Where an act is carried out. */
type Acting = Pick<Act, 'operation' | 'projection'> & Partial<Pick<Act, 'eventId' | 'eventsPerSecond'>>;

const nobody: ReportRebuild = () => undefined;

/**
 * Operators' operations on read models and reactors, whichever process keeps them: one that another process keeps is carried out by that
 * process.
 */
export class SharedOperations extends ProjectionOperations {
  constructor(
    options: ProjectionOperationsOptions,
    private readonly others: OtherProcesses,
  ) {
    super(options);
  }

  override models(): readonly KnownModel[] {
    return modelsKnown(super.models(), this.others.states);
  }

  override reactorStatuses(): readonly ReactorStatus[] {
    return reactorsKnown(super.reactorStatuses(), this.others.states);
  }

  override builds(): readonly RunningBuild[] {
    return [...super.builds(), ...this.others.states.builds()];
  }

  override isElsewhere(operation: ModelOperation, name: string): boolean {
    return this.keeperOf(operation, name) !== null;
  }

  override assertPossible(operation: ModelOperation, name: string | null): void {
    if (name === null || !this.isElsewhere(operation, name)) super.assertPossible(operation, name);
  }

  override rollback(projection: string): Promise<number> {
    return this.whereKept({ operation: 'rollback', projection }, () => super.rollback(projection));
  }

  override drop(projection: string): Promise<readonly number[]> {
    return this.whereKept({ operation: 'drop', projection }, () => super.drop(projection));
  }

  override async setPaused(projection: string, isPaused: boolean): Promise<void> {
    const operation = isPaused ? 'pause' : 'resume';
    await this.whereKept<unknown>({ operation, projection }, () => super.setPaused(projection, isPaused));
  }

  override retry(named: NamedEvent): Promise<EventReference> {
    return this.whereKept(actOn('retry', named), () => super.retry(named));
  }

  override discard(named: NamedEvent): Promise<EventReference> {
    return this.whereKept(actOn('discard', named), () => super.discard(named));
  }

  override restore(named: NamedEvent, report: ReportRebuild): Promise<RestoredEvents> {
    return this.whereKept(actOn('restore', named), () => super.restore(named, report), report);
  }

  protected override rebuildOne(
    request: RebuildRequest,
    report: (progress: RebuildProgress) => void,
  ): Promise<number> {
    const { projection, eventsPerSecond } = request;
    const act = { operation: 'rebuild', projection, eventsPerSecond } as const;
    return this.whereKept(act, () => super.rebuildOne(request, report), report);
  }

  /** @param here carries the act out in this process */
  private async whereKept<Result>(
    act: Acting,
    here: () => Promise<Result>,
    report: ReportRebuild = nobody,
  ): Promise<Result> {
    const keeper = this.keeperOf(act.operation, act.projection);
    if (keeper === null) return here();
    const whole: Act = { eventId: null, eventsPerSecond: null, ...act };
    // The other process carries it out by the same method, so the result is of the same type.
    return (await this.others.acts.order(keeper, whole, report)) as Result;
  }

  /** The process to ask for an operation; null: this one, or no other has reported that it keeps the model or reactor. */
  private keeperOf(operation: ModelOperation, name: string): string | null {
    const { host, positions } = this.options;
    const { states } = this.others;
    if (anywhere.has(operation)) return null;
    const reactor = ofReactors.has(operation) ? this.reactorOf(name) : undefined;
    if (reactor !== undefined)
      return reactor.status().state === 'standby' ? (states.reactor(reactor.name)?.process ?? null) : null;
    // Whoever runs projections can also build models that another process keeps, and change their settings.
    const isStandby = positions.status().some((one) => one.projection === name && one.state === 'standby');
    const isHere = host !== null && !(operation === 'retry' && isStandby);
    return isHere ? null : (states.model(name)?.process ?? null);
  }
}

function actOn(operation: 'retry' | 'discard' | 'restore', { projection, id }: NamedEvent): Acting {
  return { operation, projection, eventId: id };
}
