import { randomUUID } from 'node:crypto';
import type { EventReference } from '../../projections/engine/poison-event.js';
import type { RestoredEvents } from '../../projections/engine/projection-host.js';
import type { ModelOperation } from '../events/operations.js';
import type { Logger } from '../../projections/engine/logger.js';
import type { Clock } from '../kernel/clock.js';
import { failure, OperatorError } from '../kernel/errors.js';
import type { OperationsRecord, Operator } from './operations-record.js';
import type { ProjectionOperations } from './projection-operations.js';
import type { RebuildProgress } from './rebuilds.js';
import type { ProjectionVerification } from './verify-projection.js';
import { versionLabel } from './projection-report.js';

/** A command of an owner to carry out an operation. */
interface ModelCommand {
  readonly operation: ModelOperation;
  /** The read model, or the reactor as `reactor:<name>`. Null: the command is not about one of them. */
  readonly projection: string | null;
  /** For `retry`, `discard` and `restore`: the event. Null: the one at which it is halted; for `restore` all that were discarded. */
  readonly eventId: string | null;
  /** For `rebuild`: the most events a second; null: no limit. */
  readonly eventsPerSecond: number | null;
}

/** The state of a command. */
interface ModelCommandReport {
  readonly id: string;
  readonly operation: ModelOperation;
  readonly projection: string | null;
  /** Milliseconds since the UNIX epoch, like all times here. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly state: 'running' | 'done' | 'failed';
  readonly progress: Pick<RebuildProgress, 'events' | 'position' | 'head'> | null;
  /** The result as a sentence; null while the command runs. */
  readonly outcome: string | null;
}

/** The functions that carry out commands. */
export interface ModelCommandsOptions {
  readonly operations: ProjectionOperations;
  readonly record: OperationsRecord;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Compares a model with a rebuilt one, in a separate thread. */
  readonly verify: (
    projection: string,
    report: (progress: { readonly events: number }) => void,
  ) => Promise<ProjectionVerification>;
  /** Returns how many snapshots were removed. */
  readonly dropSnapshots: () => Promise<number>;
}

/** How many finished commands are still reported. */
const KEPT_COMMANDS = 50;

/** A command that finishes within this time, in milliseconds, is answered with its result. */
const SOON = 1_500;

/** The same for a command that another process carries out: it gets the command and answers a second or two later. */
const SOON_ELSEWHERE = 6_000;

/**
 * Carries out the commands that owners give over HTTP, and reports their state. Every command is recorded in the log
 * before anything is done.
 */
export class ModelCommands {
  private readonly reportById = new Map<string, ModelCommandReport>();

  constructor(private readonly options: ModelCommandsOptions) {}

  /** The running commands and the last finished ones, newest first. */
  get reports(): readonly ModelCommandReport[] {
    return [...this.reportById.values()].reverse();
  }

  /**
   * Starts to carry out a command, and waits a short time for its result.
   *
   * @throws ApplicationError when it is refused, or fails within that time
   */
  async run(command: ModelCommand, operator: Operator): Promise<ModelCommandReport> {
    const { operation, projection, eventId } = command;
    this.assertFree(projection);
    this.assertPossible(command);
    const id = this.begin(command);
    try {
      await this.options.record.note({ operation, projection, eventId }, operator);
    } catch (error) {
      this.reportById.delete(id);
      throw error;
    }
    const isElsewhere = projection !== null && this.options.operations.isElsewhere(operation, projection);
    const ended = this.carryOut(id, command);
    await Promise.race([ended, pauseFor(isElsewhere ? SOON_ELSEWHERE : SOON)]);
    const report = this.reportById.get(id)!;
    if (report.state === 'failed') throw failure('operationRefused', { reason: report.outcome ?? '' });
    return report;
  }

  private assertFree(projection: string | null): void {
    const other = this.reports.find((one) => one.state === 'running' && one.projection === projection);
    if (other !== undefined) throw failure('operationUnderWay', { reason: other.operation });
  }

  /** A command that no process can carry out is not recorded. */
  private assertPossible({ operation, projection }: ModelCommand): void {
    try {
      this.options.operations.assertPossible(operation, projection);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      throw failure('operationRefused', { reason: error.message });
    }
  }

  private begin({ operation, projection }: ModelCommand): string {
    const id = randomUUID();
    const startedAt = this.options.clock.now();
    this.reportById.set(id, {
      id,
      operation,
      projection,
      startedAt,
      endedAt: null,
      state: 'running',
      progress: null,
      outcome: null,
    });
    const ended = [...this.reportById.values()].filter(({ state }) => state !== 'running');
    for (const { id: oldest } of ended.slice(0, Math.max(0, ended.length - KEPT_COMMANDS))) {
      this.reportById.delete(oldest);
    }
    return id;
  }

  private async carryOut(id: string, command: ModelCommand): Promise<void> {
    try {
      const outcome = await this.perform(command, (progress) => this.change(id, { progress }));
      this.change(id, { state: 'done', outcome, endedAt: this.options.clock.now() });
    } catch (error) {
      const outcome = reasonOf(error, this.options.logger);
      this.change(id, { state: 'failed', outcome, endedAt: this.options.clock.now() });
    }
  }

  private change(id: string, changed: Partial<ModelCommandReport>): void {
    const report = this.reportById.get(id);
    if (report !== undefined) this.reportById.set(id, { ...report, ...changed });
  }

  private async perform(
    { operation, projection, eventId, eventsPerSecond }: ModelCommand,
    report: (progress: NonNullable<ModelCommandReport['progress']>) => void,
  ): Promise<string> {
    const { operations } = this.options;
    if (operation === 'drop-snapshots') return `Removed ${await this.options.dropSnapshots()}.`;
    const name = projection ?? '';
    switch (operation) {
      case 'rebuild':
        return outcomes.serves((await operations.rebuild([name], eventsPerSecond, report))[0]!.version);
      case 'rollback':
        return outcomes.serves(await operations.rollback(name));
      case 'drop':
        return outcomes.dropped(await operations.drop(name));
      case 'pause':
        await operations.setPaused(name, true);
        return outcomes.paused;
      case 'resume':
        await operations.setPaused(name, false);
        return outcomes.resumed;
      case 'retry':
        return `${outcomes.event(await operations.retry({ projection: name, id: eventId }))} is tried again.`;
      case 'discard':
        return `${outcomes.event(await operations.discard({ projection: name, id: eventId }))} was discarded.`;
      case 'restore':
        return outcomes.restored(await operations.restore({ projection: name, id: eventId }, report));
      case 'verify':
        return outcomes.verified(
          await this.options.verify(name, ({ events }) => report({ events, position: null, head: null })),
        );
    }
  }
}

/**
 * Why an operation failed, for the operator who ordered it. An operator error says how to mend it; any other error is a fault, which is
 * logged too.
 */
export function reasonOf(error: unknown, logger: Logger): string {
  if (!(error instanceof OperatorError)) logger.error({ err: error }, 'An operation on read models failed');
  return error instanceof Error ? error.message : String(error);
}

/** Sentences for the results of operations, as the command line has them. */
export const outcomes = {
  serves: (version: number) => `version ${versionLabel(version)} serves.`,
  dropped: (versions: readonly number[]) =>
    versions.length === 0
      ? 'nothing to remove.'
      : `removed version ${versions.map(versionLabel).join(', ')}.`,
  paused: 'paused.',
  resumed: 'goes on.',
  event: ({ type, position }: Pick<EventReference, 'type' | 'position'>) => `${type} at position ${position}`,
  restored: ({ events }: RestoredEvents) =>
    `${events.map((event) => outcomes.event(event)).join(', ')} restored.`,
  verified: ({ differing, discarded, rebuilt }: ProjectionVerification) => {
    const lacking = discarded.length === 0 ? '' : ` It lacks ${discarded.length} events that were discarded.`;
    if (differing.length === 0) return `the same as rebuilt, digest ${rebuilt}.${lacking}`;
    const named = differing.slice(0, 10).map(({ collection, id }) => `${collection} ${JSON.stringify(id)}`);
    return `NOT the same as rebuilt: ${differing.length} documents differ (${named.join(', ')}).${lacking}`;
  },
} as const;

function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
