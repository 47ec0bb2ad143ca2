import type { ModelStatus } from '../../projections/engine/model-position.js';
import { OperatorSettings, type ProjectionSettings } from '../../projections/engine/operator-settings.js';
import type { EventReference } from '../../projections/engine/poison-event.js';
import type { ProjectionState } from '../../projections/engine/progress.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { BuildProgress } from '../../projections/engine/projector-protocol.js';
import { projectionVersion } from '../../projections/engine/stored-version.js';
import type { Clock } from '../kernel/clock.js';
import type { EventStore } from '../stores/event-store/port.js';
import { versionLabel } from './version-label.js';
import { ModelRemovedError, type ReadStore } from '../stores/read-store/port.js';

/** How one read model is doing, for operators. */
export interface ProjectionReport {
  readonly projection: string;
  /** `unseen`: it is kept up with the log, but requests do not find what is written to it. Null: another process keeps it. */
  readonly state: ProjectionState | 'unseen' | null;
  /** The version of the code. */
  readonly version: number;
  /** The version that serves: the code's, plus a million for each time that it was rebuilt; null: none does yet. */
  readonly servingVersion: number | null;
  /** The same as people read it. */
  readonly servingLabel: string;
  /** Versions that are kept beside it. */
  readonly otherVersions: readonly number[];
  /** Position of the last event that is in it. */
  readonly checkpoint: number | null;
  /** Position of the last event that requests find in it; null: none, or no running process has looked. */
  readonly servedCheckpoint: number | null;
  /** How many of its events it has yet to pass; at most {@link MAX_COUNTED} are counted. */
  readonly lagEvents: number;
  /** For how long the first of them has been in the log. */
  readonly lagSeconds: number;
  /** Events applied in a second, over the last ten. */
  readonly eventsPerSecond: number;
  /** Bytes that the serving version takes; null: not known. */
  readonly bytes: number | null;
  readonly lastError: string | null;
  /** The event that it stands before. */
  readonly poison: EventReference | null;
  /** How many events were given up. */
  readonly discarded: number;
  /** The build that is under way beside it. */
  readonly building: (BuildProgress & { readonly label: string }) | null;
}

/** What requests do not find for longer than this, in milliseconds, is not just on its way. */
const MAX_UNSEEN_MILLISECONDS = 2_000;

/** More events than this are not counted one by one: each is read, and operators are told every few seconds. */
export const MAX_COUNTED = 1_000;

/** What reports are made of. */
export interface ReportSources {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  /** What the running process knows of each; absent where none runs. */
  readonly status?: readonly ModelStatus[];
  readonly builds?: readonly BuildProgress[];
}

/** Looks at every read model. */
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
  const checkpoint = status?.position ?? (await storedCheckpoint(projection, servingVersion, readStore));
  const behind = await eventsBehind(Object.keys(projection.on), checkpoint, sources.eventStore);
  const lag = behind.since === null ? 0 : sources.clock.now() - behind.since;
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

function stateOf(
  status: ModelStatus | undefined,
  { isPaused }: ProjectionSettings,
): ProjectionReport['state'] {
  if (status === undefined) return isPaused ? 'paused' : 'stopped';
  return isUnseen(status) ? 'unseen' : status.state;
}

/** Whether a model that follows the log here is read where it does not: requests do not find what was acknowledged. */
export function isUnseen({ state, unseenMilliseconds }: ModelStatus): boolean {
  return state === 'live' && unseenMilliseconds > MAX_UNSEEN_MILLISECONDS;
}

function unseenReason(status: ModelStatus | undefined): string | null {
  if (status === undefined || !isUnseen(status)) return null;
  return `Requests find nothing after position ${status.servedPosition ?? 'none'}, though it is written on to position ${status.position ?? 'none'}: rebuild it`;
}

function stoppedBuildOf({ stoppedBuild }: ProjectionSettings): string | null {
  return stoppedBuild && `A rebuild of it has stopped: ${stoppedBuild.reason}`;
}

/** How far a stored version of a model has come; null: not known to this code. */
export async function storedCheckpoint(
  { name, version, collections }: Projection,
  storedVersion: number | null,
  readStore: ReadStore,
): Promise<number | null> {
  // What another version of the code wrote is opened by nobody but that.
  if (storedVersion === null || projectionVersion(storedVersion) !== version) return null;
  try {
    return (await (await readStore.openModel(name, storedVersion, collections)).checkpoint()).position;
  } catch (error) {
    // Another process dropped it meanwhile.
    if (error instanceof ModelRemovedError) return null;
    throw error;
  }
}

/** Events that somebody has yet to pass. */
export interface EventsBehind {
  /** At most {@link MAX_COUNTED}. */
  readonly count: number;
  /** When the first of them was decided, in milliseconds since the UNIX epoch; null: there is none, or it does not say. */
  readonly since: number | null;
}

/** Counts the events of some types that come after a position. */
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
