import type { ModelStatus } from '../../projections/engine/model-position.js';
import { OperatorSettings, type ProjectionSettings } from '../../projections/engine/operator-settings.js';
import type { EventReference } from '../../projections/engine/poison-event.js';
import type { ProjectionState } from '../../projections/engine/progress.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { RunningBuild } from '../../projections/engine/projector-protocol.js';
import { generationOf, projectionVersion } from '../../projections/engine/stored-version.js';
import type { Clock } from '../kernel/clock.js';
import type { EventStore } from '../stores/event-store/port.js';
import { ModelRemovedError, type ReadStore } from '../stores/read-store/port.js';

/** A model that contains rendered texts has a version of `code version * 1000 + renderer version`. */
const RENDERED = 1_000;

/**
 * A stored version in readable form: the code's version, the renderer's after a dot, and the number of rebuilds.
 *
 * @param stored null: none
 */
export function versionLabel(stored: number | null): string {
  if (stored === null) return 'none yet';
  const version = projectionVersion(stored);
  const words =
    version < RENDERED ? String(version) : `${Math.floor(version / RENDERED)}.${version % RENDERED}`;
  const rebuilds = generationOf(stored);
  return rebuilds === 0 ? words : `${words} (rebuild ${rebuilds})`;
}

/** The state of one read model, for operators. */
export interface ProjectionReport {
  readonly projection: string;
  /**
   * `unseen`: the model follows the log, but requests read a version without the newest events. Null or `standby`: no
   * running process has reported that it keeps the model.
   */
  readonly state: ProjectionState | 'unseen' | null;
  /** The version of the projection's code. */
  readonly version: number;
  /** The version that serves: the code's version, plus a million for each rebuild; null: none serves yet. */
  readonly servingVersion: number | null;
  /** The serving version in readable form. */
  readonly servingLabel: string;
  /** Versions that are stored besides the serving one. */
  readonly otherVersions: readonly number[];
  /** Position of the last applied event. */
  readonly checkpoint: number | null;
  /** Position of the last event that requests can read; null: none, or no running process has checked. */
  readonly servedCheckpoint: number | null;
  /** How many of its events are not applied yet; at most {@link MAX_COUNTED} are counted. */
  readonly lagEvents: number;
  /** How long the first of these events has been in the log, in seconds. */
  readonly lagSeconds: number;
  /** Events applied per second, over the last ten seconds. */
  readonly eventsPerSecond: number;
  /** Size of the serving version in bytes; null: not known. */
  readonly bytes: number | null;
  readonly lastError: string | null;
  /** The event at which the projection is halted. */
  readonly poison: EventReference | null;
  /** How many events were discarded. */
  readonly discarded: number;
  /** The running build of the next version. */
  readonly building: (RunningBuild & { readonly label: string }) | null;
}

/** An event that requests cannot read for longer than this, in milliseconds, is more than ordinary lag. */
const MAX_UNSEEN_MILLISECONDS = 2_000;

/** The most events that are counted: each is read, and the report is made every few seconds. */
export const MAX_COUNTED = 1_000;

/** What the running process knows of a model. */
export interface KnownModel extends ModelStatus {
  /** Whether another process has reported it. */
  readonly isElsewhere: boolean;
}

/** The sources of the report. */
interface ReportSources {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  /** The running process's own knowledge of its models; absent: no process runs. */
  readonly status?: readonly KnownModel[];
  readonly builds?: readonly RunningBuild[];
}

/** Reports the state of every read model. */
export async function reportProjections(sources: ReportSources): Promise<readonly ProjectionReport[]> {
  return Promise.all(sources.projections.map((projection) => report(projection, sources)));
}

async function report(projection: Projection, sources: ReportSources): Promise<ProjectionReport> {
  const { readStore } = sources;
  const { name, version } = projection;
  const servingVersion = await readStore.servingVersion(name);
  const stored = await readStore.modelVersions(name);
  const settings = await new OperatorSettings(readStore).of(name);
  const status = sources.status?.find((one) => one.projection === name);
  const building = sources.builds?.find((build) => build.projection === name);
  const reported = status?.position ?? null;
  const checkpoint =
    reported !== null && status?.isElsewhere === false && isKnown(status)
      ? reported
      : later(reported, await storedCheckpoint(projection, servingVersion, readStore));
  const behind = await eventsBehind(Object.keys(projection.on), checkpoint, sources.eventStore);
  const lag = lagOf(status, behind, sources.clock);
  return {
    projection: name,
    state: stateOf(status, settings),
    version,
    servingVersion,
    servingLabel: versionLabel(servingVersion),
    otherVersions: stored.filter((other) => other !== servingVersion),
    checkpoint,
    servedCheckpoint: status?.servedPosition ?? null,
    lagEvents: behind.count,
    lagSeconds: Math.max(0, lag, status?.unseenMilliseconds ?? 0) / 1000,
    eventsPerSecond: status?.eventsPerSecond ?? 0,
    bytes: servingVersion === null ? null : await readStore.modelBytes(name, servingVersion),
    lastError: status?.stoppage?.reason ?? unseenReason(status) ?? stoppedBuildOf(settings),
    poison: status?.stoppage?.event ?? null,
    discarded: settings.discarded.length,
    building: building === undefined ? null : { ...building, label: versionLabel(building.version) },
  };
}

/** How long a model has been behind the log, in milliseconds. */
function lagOf(status: KnownModel | undefined, { since }: EventsBehind, clock: Clock): number {
  // The checkpoint that another process reported is a few seconds old, so the model looks further behind than it is.
  if (status?.isElsewhere === true) return status.lagMilliseconds;
  return since === null ? 0 : clock.now() - since;
}

/** Whether the state of a model is known: null and `standby` only say that this process does not keep it. */
export function isKnown({ state }: Pick<ProjectionReport, 'state'>): boolean {
  return state !== null && state !== 'standby';
}

/** The later of two positions: what another process reports is a few seconds old. */
function later(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

function stateOf(
  status: ModelStatus | undefined,
  { isPaused }: ProjectionSettings,
): ProjectionReport['state'] {
  if (status === undefined) return isPaused ? 'paused' : 'stopped';
  return isUnseen(status) ? 'unseen' : status.state;
}

/** Whether a model follows the log, but requests read a version without the acknowledged events. */
function isUnseen({ state, unseenMilliseconds }: ModelStatus): boolean {
  return state === 'live' && unseenMilliseconds > MAX_UNSEEN_MILLISECONDS;
}

function unseenReason(status: ModelStatus | undefined): string | null {
  if (status === undefined || !isUnseen(status)) return null;
  return `Requests find nothing after position ${status.servedPosition ?? 'none'}, though it is written on to position ${status.position ?? 'none'}: rebuild it`;
}

function stoppedBuildOf({ stoppedBuild }: ProjectionSettings): string | null {
  return stoppedBuild && `A rebuild of it has stopped: ${stoppedBuild.reason}`;
}

/** The checkpoint of a stored version of a model; null: this code cannot read it. */
export async function storedCheckpoint(
  { name, version, collections }: Projection,
  storedVersion: number | null,
  readStore: ReadStore,
): Promise<number | null> {
  // Only the version of the code that wrote a model can open it.
  if (storedVersion === null || projectionVersion(storedVersion) !== version) return null;
  try {
    return (await (await readStore.openModel(name, storedVersion, collections)).checkpoint()).position;
  } catch (error) {
    // Another process dropped the model meanwhile.
    if (error instanceof ModelRemovedError) return null;
    throw error;
  }
}

/** The events that a consumer has not processed yet. */
interface EventsBehind {
  /** At most {@link MAX_COUNTED}. */
  readonly count: number;
  /**
   * When the first of them was recorded, in milliseconds since the UNIX epoch; null: there is none, or it has no
   * time.
   */
  readonly since: number | null;
}

/** Counts the events of given types after a position. */
export async function eventsBehind(
  types: readonly string[],
  after: number | null,
  store: EventStore,
): Promise<EventsBehind> {
  let count = 0;
  let since: number | null = null;
  for await (const { events } of store.readAll({ after, types })) {
    if (count === 0 && typeof events[0]?.metadata['at'] === 'number') since = events[0].metadata['at'];
    count += events.length;
    if (count >= MAX_COUNTED) return { count: MAX_COUNTED, since };
  }
  return { count, since };
}
