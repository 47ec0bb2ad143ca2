import type { Db, MongoClient } from 'mongodb';
import { BatchedCalls } from '../../../runtime/batched-calls.js';
import { inTime } from '../../mongodb/connect.js';
import { SequencedRecords } from './sequenced-records.js';

interface ModelVersions {
  /** The serving version; null: none serves yet. */
  readonly version: number | null;
  /** Dropped versions in increasing order; absent: there are none. */
  readonly dropped?: readonly number[];
}

/**
 * Which version of each model serves, and which were dropped. One record per model has both, so that a version cannot be dropped while
 * another process makes it serve.
 */
export class ServingVersions {
  private readonly records: SequencedRecords<ModelVersions>;
  /** Every follower of a model looks up the serving version about once a second. */
  private readonly lookups = new BatchedCalls(async (models: readonly string[]) => {
    const latest = await inTime(this.client, () => this.records.latestOf([...new Set(models)]));
    return models.map((model) => latest.get(model)?.version ?? null);
  });

  constructor(
    private readonly client: MongoClient,
    database: Db,
  ) {
    this.records = new SequencedRecords(database, '_serving');
  }

  prepare(): Promise<void> {
    return this.records.prepare();
  }

  /** Null: before the first cut-over. */
  async serving(model: string): Promise<number | null> {
    const [version] = await this.lookups.call([model]);
    return version ?? null;
  }

  /** Returns false without an effect if the serving version is no longer `from`, or `to` was dropped. */
  async switch(model: string, from: number | null, to: number): Promise<boolean> {
    const { version = null, dropped = [], sequence = 0 } = (await this.records.latest(model)) ?? {};
    if (version !== from || dropped.includes(to)) return false;
    return this.records.append(model, sequence, { version: to, dropped });
  }

  /** Records that a version was dropped for good; returns false without an effect if it serves. */
  async drop(model: string, version: number): Promise<boolean> {
    for (;;) {
      const latest = await this.records.latest(model);
      const { version: serving = null, dropped = [], sequence = 0 } = latest ?? {};
      if (serving === version) return false;
      if (dropped.includes(version)) return true;
      const all = [...dropped, version].sort((left, right) => left - right);
      // Another process may have changed the record meanwhile: then it is read again.
      if (await this.records.append(model, sequence, { version: serving, dropped: all })) return true;
    }
  }

  /** The dropped versions, in increasing order. */
  async dropped(model: string): Promise<readonly number[]> {
    return (await this.records.latest(model))?.dropped ?? [];
  }
}
