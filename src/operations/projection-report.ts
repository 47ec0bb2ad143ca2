import type { ModelStatus } from '../../projections/engine/model-position.js';
import { OperatorOrders, type ProjectionOrders } from '../../projections/engine/operator-orders.js';
import type { EventReference } from '../../projections/engine/poison-event.js';
import type { ProjectionState } from '../../projections/engine/progress.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { BuildProgress } from '../../projections/engine/projector-protocol.js';
import { projectionVersion } from '../../projections/engine/stored-version.js';
import type { EventStore } from '../event-store/port.js';
import type { ReadStore } from '../read-store/port.js';

/** How one read model is doing, for operators. */
export interface ProjectionReport {
  readonly projection: string;
  /** Null: another process keeps it. */
  readonly state: ProjectionState | null;
  /** The version of the code. */
  readonly version: number;
  /** The version that serves: the code's, plus a million for each time that it was rebuilt; null: none does yet. */
  readonly servingVersion: number | null;
  /** Versions that are kept beside it. */
  readonly otherVersions: readonly number[];
  /** Position of the last event that is in it. */
  readonly checkpoint: number | null;
  /** How many of its events it has yet to pass; at most {@link MOST_COUNTED} are counted. */
  readonly lagEvents: number;
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
  readonly building: BuildProgress | null;
}

/** More events than this are not counted one by one. */
export const MOST_COUNTED = 10_000;

/** What reports are made of. */
export interface ReportSources {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly projections: readonly Projection[];
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
  const orders = await new OperatorOrders(readStore).of(name);
  const status = sources.status?.find((one) => one.projection === name);
  const checkpoint = status?.position ?? (await storedCheckpoint(projection, servingVersion, readStore));
  return {
    projection: name,
    state: status === undefined ? (orders.isPaused ? 'paused' : 'stopped') : status.state,
    version,
    servingVersion,
    otherVersions: stored.filter((other) => other !== servingVersion),
    checkpoint,
    lagEvents: await countBehind(Object.keys(projection.on), checkpoint, sources.eventStore),
    lagSeconds: (status?.lagMilliseconds ?? 0) / 1000,
    eventsPerSecond: status?.eventsPerSecond ?? 0,
    bytes: servingVersion === null ? null : await readStore.modelBytes(name, servingVersion),
    lastError: status?.stoppage?.reason ?? stoppedBuildOf(orders),
    poison: status?.stoppage?.event ?? null,
    discarded: orders.discarded.length,
    building: sources.builds?.find((build) => build.projection === name) ?? null,
  };
}

function stoppedBuildOf({ stoppedBuild }: ProjectionOrders): string | null {
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
  return (await (await readStore.openModel(name, storedVersion, collections)).checkpoint()).position;
}

/** How many events of some types come after a position; at most {@link MOST_COUNTED}. */
export async function countBehind(
  types: readonly string[],
  after: number | null,
  store: EventStore,
): Promise<number> {
  let count = 0;
  for await (const { events } of store.readAll({ after, types })) {
    count += events.length;
    if (count >= MOST_COUNTED) return MOST_COUNTED;
  }
  return count;
}
