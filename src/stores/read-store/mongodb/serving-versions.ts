import type { Db } from 'mongodb';
import { BatchedCalls } from '../../../runtime/batched-calls.js';
import { SequencedRecords } from './sequenced-records.js';

interface ModelVersions {
  /** The version that serves; null: none does yet. */
  readonly version: number | null;
  /** Versions that are gone for good, rising; absent: none is. */
  readonly dropped?: readonly number[];
}

/**
 * Which version of each model serves, and which were dropped: one record of a model holds both, so that a version cannot be dropped while it
 * begins to serve, whichever processes ask.
 */
export class ServingVersions {
  private readonly records: SequencedRecords<ModelVersions>;
  /** Every follower of a model looks up what serves, about once in a second. */
  private readonly lookups = new BatchedCalls(async (models: readonly string[]) => {
    const latest = await this.records.latestOf([...new Set(models)]);
    return models.map((model) => latest.get(model)?.version ?? null);
  });

  constructor(database: Db) {
    this.records = new SequencedRecords(database, '_serving');
  }

  prepare(): Promise<void> {
    return this.records.prepare();
  }

  /** Null before the first switch. */
  async serving(model: string): Promise<number | null> {
    const [version] = await this.lookups.call([model]);
    return version ?? null;
  }

  /** Answers false, and changes nothing, when the version is no longer `from`, or `to` was dropped. */
  async switch(model: string, from: number | null, to: number): Promise<boolean> {
    const { version = null, dropped = [], sequence = 0 } = (await this.records.latest(model)) ?? {};
    if (version !== from || dropped.includes(to)) return false;
    return this.records.append(model, sequence, { version: to, dropped });
  }

  /** Notes that a version is gone for good; answers false, and notes nothing, when it serves. */
  async drop(model: string, version: number): Promise<boolean> {
    for (;;) {
      const latest = await this.records.latest(model);
      const { version: serving = null, dropped = [], sequence = 0 } = latest ?? {};
      if (serving === version) return false;
      if (dropped.includes(version)) return true;
      const all = [...dropped, version].sort((left, right) => left - right);
      // Another may have switched or dropped meanwhile: then it is looked at again.
      if (await this.records.append(model, sequence, { version: serving, dropped: all })) return true;
    }
  }

  /** The versions that were dropped, rising. */
  async dropped(model: string): Promise<readonly number[]> {
    return (await this.records.latest(model))?.dropped ?? [];
  }
}
