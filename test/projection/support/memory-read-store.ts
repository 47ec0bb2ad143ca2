import {
  ModelRemovedError,
  type CollectionDefinition,
  type Lease,
  type ReadStore,
} from '../../../src/stores/read-store/port.js';
import { MemoryModel } from './memory-model.js';

interface HeldBy {
  readonly holder: string;
  readonly token: number;
  readonly until: number;
}

/** A read store in memory, with or without atomic batches, whose writes and leases a test can disturb. */
export class MemoryReadStore implements ReadStore {
  readonly models = new Map<string, MemoryModel>();
  private readonly dropped = new Set<string>();
  private readonly serving = new Map<string, number>();
  private readonly leases = new Map<string, HeldBy>();
  /** Called before each single write; throws where the process is to die. */
  beforeWrite: () => void = () => {};

  constructor(readonly atomicBatches: boolean) {}

  openModel(
    name: string,
    version: number,
    collections: readonly CollectionDefinition[],
  ): Promise<MemoryModel> {
    const key = `${name}:${version}`;
    if (this.dropped.has(key)) return Promise.reject(new ModelRemovedError(name, version));
    const isRemoved = (): boolean => this.dropped.has(key);
    const options = { atomic: this.atomicBatches, beforeWrite: () => this.beforeWrite(), isRemoved };
    const model = this.models.get(key) ?? new MemoryModel(name, version, options);
    model.declare(collections);
    this.models.set(key, model);
    return Promise.resolve(model);
  }

  modelVersions(name: string): Promise<readonly number[]> {
    const versions = [...this.models.values()].filter((model) => model.name === name);
    return Promise.resolve(versions.map(({ version }) => version).sort((one, other) => one - other));
  }

  async usedVersions(name: string): Promise<readonly number[]> {
    const dropped = [...this.dropped].map((key) => key.split(':')).filter(([model]) => model === name);
    const versions = [...(await this.modelVersions(name)), ...dropped.map(([, version]) => Number(version))];
    return versions.sort((one, other) => one - other);
  }

  dropModel(name: string, version: number): Promise<boolean> {
    if (this.serving.get(name) === version) return Promise.resolve(false);
    this.models.delete(`${name}:${version}`);
    this.dropped.add(`${name}:${version}`);
    return Promise.resolve(true);
  }

  async releaseDropped(): Promise<void> {}

  async scrub(): Promise<void> {}

  modelBytes(): Promise<number | null> {
    return Promise.resolve(null);
  }

  servingVersion(model: string): Promise<number | null> {
    return Promise.resolve(this.serving.get(model) ?? null);
  }

  async switchVersion(model: string, from: number | null, to: number): Promise<boolean> {
    if ((await this.servingVersion(model)) !== from || this.dropped.has(`${model}:${to}`)) return false;
    this.serving.set(model, to);
    return true;
  }

  acquireLease(name: string, holder: string, milliseconds: number): Promise<Lease | null> {
    const held = this.leases.get(name);
    const now = performance.now();
    const isFree = held === undefined || held.until < now;
    if (!isFree && held.holder !== holder) return Promise.resolve(null);
    const token = held?.holder === holder && !isFree ? held.token : (held?.token ?? 0) + 1;
    this.leases.set(name, { holder, token, until: now + milliseconds });
    return Promise.resolve({ token });
  }

  releaseLease(name: string, holder: string): Promise<void> {
    const held = this.leases.get(name);
    if (held?.holder === holder) this.leases.set(name, { ...held, until: 0 });
    return Promise.resolve();
  }

  /** Lets a lease run out, as if its holder had stood still for a while. */
  expire(name: string): void {
    const held = this.leases.get(name);
    if (held) this.leases.set(name, { ...held, until: 0 });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
