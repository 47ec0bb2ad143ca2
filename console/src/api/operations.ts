import { useCallback } from 'react';
import { useAct, useApi } from './use-api.js';

/** A poison event or a discarded one. */
export interface EventReference {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly position: number;
}

/** A build of a version of a read model, whoever started it. */
export interface Building {
  readonly label: string;
  readonly events: number;
  readonly position: number | null;
  /** The position at which it began or was resumed. */
  readonly from: number | null;
  /** When it began or was resumed, in milliseconds since the UNIX epoch. */
  readonly startedAt: number;
}

/** The status of a read model, as in `GET audit/projections`. */
export interface ModelReport {
  readonly projection: string;
  readonly state: 'building' | 'live' | 'halted' | 'paused' | 'stopped' | 'unseen' | (string & {}) | null;
  readonly servingLabel: string;
  readonly otherVersions: readonly number[];
  readonly checkpoint: number | null;
  readonly lagEvents: number;
  readonly lagSeconds: number;
  readonly eventsPerSecond: number;
  readonly bytes: number | null;
  readonly lastError: string | null;
  readonly poison: EventReference | null;
  readonly discarded: number;
  readonly building: Building | null;
}

export interface DeadLetter {
  readonly projection: string;
  readonly event: EventReference;
  readonly reason: string;
  readonly state: 'waiting' | 'discarded';
}

export interface ProjectionsReply {
  /** Position of the last event of the log; null: the log is empty. */
  readonly head: number | null;
  readonly projections: readonly ModelReport[];
  readonly dead_letters: readonly DeadLetter[];
}

export interface ReactorReport {
  readonly reactor: string;
  readonly state: 'acting' | 'halted' | 'unavailable' | 'standby';
  readonly lagEvents: number | null;
  readonly lastError: string | null;
}

/** The progress of a task that an operator started. */
export interface CommandReport {
  readonly id: string;
  readonly operation: Operation;
  readonly projection: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly state: 'running' | 'done' | 'failed';
  readonly progress: {
    readonly events: number;
    readonly position: number | null;
    readonly head: number | null;
  } | null;
  readonly outcome: string | null;
}

export interface SnapshotReport {
  readonly fold: string;
  readonly stream: string;
  readonly revision: number;
  /** ISO 8601. */
  readonly writtenAt: string;
  readonly bytes: number;
}

export interface OperationsReply {
  readonly orders: readonly CommandReport[];
  readonly reactors: readonly ReactorReport[];
}

/** The reply with the newest snapshots. */
export interface SnapshotsReply extends OperationsReply {
  readonly snapshots: readonly SnapshotReport[];
  /** Of all of them. */
  readonly snapshot_count: number;
}

export type Operation =
  | 'rebuild'
  | 'verify'
  | 'rollback'
  | 'drop'
  | 'pause'
  | 'resume'
  | 'retry'
  | 'discard'
  | 'restore'
  | 'drop-snapshots';

/** A task to start. */
export interface Command {
  readonly operation: Operation;
  readonly projection?: string;
  readonly event_id?: string;
}

/** Whether an operation on a read model or reactor is running. The server refuses another one until it ends. */
export function isRunning(commands: readonly CommandReport[], projection: string | null): boolean {
  return commands.some((one) => one.state === 'running' && one.projection === projection);
}

/**
 * Why operations on read models are refused, if no running process has reported that it keeps them; null: one keeps them. Comparing
 * a model with a rebuilt one is possible all the same.
 */
export function keptByNobody(models: readonly Pick<ModelReport, 'state'>[]): string | null {
  if (models.length === 0 || models.some(({ state }) => state !== null)) return null;
  return 'No running process has reported that it keeps the read models, so nothing can change them. Start one whose NODE_ROLES name the projector, or look at its log: it may still be starting.';
}

/** Interval in milliseconds, short enough to follow a task that was just started. */
const EVERY = 2_000;

export function useProjections() {
  return useApi<ProjectionsReply>('audit/projections', {}, { every: EVERY });
}

export function useOperations() {
  return useApi<OperationsReply>('audit/operations', { snapshots: false }, { every: EVERY });
}

/** The same with the snapshots, each of which is a file that the server opens. */
export function useOperationsAndSnapshots() {
  return useApi<SnapshotsReply>('audit/operations', {}, { every: EVERY });
}

/** Starts a task, and reads the status of everything again. */
export function useCommand() {
  const act = useAct<Command>(
    useCallback(
      (command: Command) => ({ method: 'POST', path: 'audit/operations', parameters: { ...command } }),
      [],
    ),
    ['audit/projections', 'audit/operations', 'audit/overview'],
  );
  return act;
}
