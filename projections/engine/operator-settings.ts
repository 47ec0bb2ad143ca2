import { randomUUID } from 'node:crypto';
import { BatchedCalls } from '../../src/runtime/batched-calls.js';
import { withinTime } from '../../src/runtime/within-time.js';
import {
  ReadStoreUnavailableError,
  type Keyed,
  type ModelStore,
  type ReadStore,
} from '../../src/stores/read-store/port.js';
import { pause } from './pause.js';
import type { EventReference } from './poison-event.js';

/** A poison event that an operator has discarded: the projection skips it, in rebuilds too. */
export interface DiscardedEvent extends EventReference {
  /** The error with which it could not be applied. */
  readonly reason: string;
  /** Milliseconds since the UNIX epoch. */
  readonly discardedAt: number;
}

/** A discarded event, and the projection or reactor that skips it. */
export interface SkippedEvent {
  readonly follower: string;
  readonly event: DiscardedEvent;
}

/** A build that stopped at a poison event. */
export interface StoppedBuild {
  readonly event: EventReference;
  readonly reason: string;
}

/** The settings of a projection that operators changed. They are stored beside the models and outlive restarts. */
export interface ProjectionSettings {
  readonly isPaused: boolean;
  readonly discarded: readonly DiscardedEvent[];
  /** The stored version that a rebuild is building, so that it can be resumed. Null: no rebuild is running. */
  readonly building: number | null;
  /** What stopped the last build of another version; null: nothing, or it was dealt with. */
  readonly stoppedBuild: StoppedBuild | null;
}

const defaultSettings: ProjectionSettings = {
  isPaused: false,
  discarded: [],
  building: null,
  stoppedBuild: null,
};

interface SettingsChange {
  readonly projection: string;
  readonly change: (settings: ProjectionSettings) => ProjectionSettings;
}

type SettingsDocument = ProjectionSettings & Keyed;

const leaseTerms = { name: 'operations', milliseconds: 5_000 };
const RETRY_MILLISECONDS = 20;

/** The longest that reading settings may take. */
const LOOKUP_MILLISECONDS = 10_000;

/** The longest that changing them may take: the lease, a look-up and a write. */
const CHANGE_MILLISECONDS = 10_000;

/** The settings of all projections of a read store. */
export class OperatorSettings {
  private store: ModelStore | null = null;
  /** Every projector reads its settings about once a second. */
  private readonly lookups = new BatchedCalls((projections: readonly string[]) =>
    this.ofAllInTime(projections),
  );

  constructor(private readonly readStore: ReadStore) {}

  async of(projection: string): Promise<ProjectionSettings> {
    const [settings] = await this.lookups.call([projection]);
    return settings ?? defaultSettings;
  }

  /**
   * Changes the settings of one projection. Changes are serialized, also those of one process.
   *
   * @param processName named in the lease while the change is made
   * @throws ReadStoreUnavailableError also when the store does not answer in time; the change may have been made all the same
   */
  async change(
    projection: string,
    change: (settings: ProjectionSettings) => ProjectionSettings,
    processName: string,
  ): Promise<ProjectionSettings> {
    const until = performance.now() + CHANGE_MILLISECONDS;
    const owner = `${processName}:operations:${randomUUID()}`;
    const ended = new AbortController();
    try {
      const changed = async (): Promise<ProjectionSettings> => {
        const token = await this.leased(owner, ended.signal);
        return this.write({ projection, change }, token);
      };
      return await withinTime(changed, CHANGE_MILLISECONDS, changedTooLate);
    } finally {
      ended.abort();
      // A lease that is not released expires soon.
      const release = (): Promise<void> => this.readStore.releaseLease(leaseTerms.name, owner);
      await inTime(release, Math.max(0, until - performance.now())).catch(() => undefined);
    }
  }

  /** Waits for the lease, and returns its token. */
  private async leased(owner: string, signal: AbortSignal): Promise<number> {
    for (;;) {
      const lease = await this.readStore.acquireLease(leaseTerms.name, owner, leaseTerms.milliseconds);
      // Nobody waits for the change any more: it must not be made later.
      if (signal.aborted) throw changedTooLate();
      if (lease !== null) return lease.token;
      await pause(RETRY_MILLISECONDS, signal);
    }
  }

  /** Discards an event permanently; a second time has no effect. */
  async discard(projection: string, event: DiscardedEvent, processName: string): Promise<void> {
    const discard = (settings: ProjectionSettings): ProjectionSettings => {
      const { stoppedBuild, discarded } = settings;
      const isKnown = discardedIds(settings).has(event.id);
      return {
        ...settings,
        discarded: isKnown ? discarded : [...discarded, event],
        stoppedBuild: stoppedBuild?.event.id === event.id ? null : stoppedBuild,
      };
    };
    await this.change(projection, discard, processName);
  }

  /**
   * Reverts that events were discarded. A build that skipped them must not be resumed.
   *
   * @param ids null: all discarded events of the projection
   * @returns the events that are no longer discarded
   */
  async restore(
    projection: string,
    ids: ReadonlySet<string> | null,
    processName: string,
  ): Promise<readonly DiscardedEvent[]> {
    let restored: readonly DiscardedEvent[] = [];
    const restore = (settings: ProjectionSettings): ProjectionSettings => {
      const isRestored = ({ id }: DiscardedEvent): boolean => ids === null || ids.has(id);
      restored = settings.discarded.filter(isRestored);
      const discarded = settings.discarded.filter((event) => !isRestored(event));
      return restored.length === 0 ? settings : { ...settings, discarded, building: null };
    };
    await this.change(projection, restore, processName);
    return restored;
  }

  /** All discarded events of all projections and reactors. */
  async allDiscarded(): Promise<readonly SkippedEvent[]> {
    const documents = await inTime(async () => {
      const store = await this.open();
      return store.collection<SettingsDocument>('orders').find({}, { sort: { _id: 1 } });
    }, LOOKUP_MILLISECONDS);
    return documents.flatMap(({ _id, discarded }) =>
      discarded.map((event) => ({ follower: String(_id), event })),
    );
  }

  private async write(
    { projection, change }: SettingsChange,
    fencingToken: number,
  ): Promise<ProjectionSettings> {
    const store = await this.open();
    const settings = change(await this.of(projection));
    const filter = { _id: projection };
    const write = { replaceOne: { filter, replacement: { _id: projection, ...settings }, upsert: true } };
    await store.commit({
      writes: [{ collection: 'orders', write }],
      checkpoint: { position: null },
      fencingToken,
    });
    return settings;
  }

  /** A store that hangs must not hold up later lookups. */
  private ofAllInTime(projections: readonly string[]): Promise<readonly ProjectionSettings[]> {
    return inTime(() => this.ofAll(projections), LOOKUP_MILLISECONDS);
  }

  private async ofAll(projections: readonly string[]): Promise<readonly ProjectionSettings[]> {
    const store = await this.open();
    const documents = await store
      .collection<SettingsDocument>('orders')
      .find({ _id: { $in: [...new Set(projections)] } });
    const settings = new Map(documents.map(({ _id, ...rest }) => [_id, { ...defaultSettings, ...rest }]));
    return projections.map((projection) => settings.get(projection) ?? defaultSettings);
  }

  private async open(): Promise<ModelStore> {
    if (this.store?.isRemoved()) this.store = null;
    this.store ??= await this.readStore.openModel('operations', 1, [{ name: 'orders', indexes: [] }]);
    return this.store;
  }
}

function inTime<Result>(task: () => Promise<Result>, milliseconds: number): Promise<Result> {
  const late = (): Error =>
    new ReadStoreUnavailableError(`The settings of projections were not reached in ${milliseconds} ms`);
  return withinTime(task, milliseconds, late);
}

function changedTooLate(): Error {
  return new ReadStoreUnavailableError(
    `The read store did not confirm the change of the settings within ${CHANGE_MILLISECONDS} ms. It may have been made: look at the status before you try again`,
  );
}

/** The ids of the events to skip. */
export function discardedIds({ discarded }: ProjectionSettings): ReadonlySet<string> {
  return new Set(discarded.map(({ id }) => id));
}
