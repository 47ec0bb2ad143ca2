import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import type { CacheVersions, ReaderBroadcast } from './reader-protocol.js';

/** Sends messages to all threads of a pool, also to those that do nothing. */
export class ReaderChannel {
  /** By which the threads open their end. */
  readonly name = `palimpsest-readers:${randomUUID()}`;
  private readonly channel = new BroadcastChannel(this.name);
  private counts: CacheVersions = { texts: 0, names: 0, models: 0 };
  private isClosed = false;

  constructor() {
    this.channel.unref();
  }

  /** What the threads were told to clear so far. A thread that has not received that yet receives it with its next task. */
  get forgotten(): CacheVersions {
    return this.counts;
  }

  /** Clears a cache of the threads. */
  forget(cache: keyof CacheVersions): void {
    this.counts = { ...this.counts, [cache]: this.counts[cache] + 1 };
    this.send({ type: 'forget', forgotten: this.counts });
  }

  /** Ends a task. */
  cancel(task: number): void {
    this.send({ type: 'cancel', task });
  }

  close(): void {
    this.isClosed = true;
    this.channel.close();
  }

  private send(message: ReaderBroadcast): void {
    // A process that stops may still switch models or erase, when its threads have ended.
    if (!this.isClosed) this.channel.postMessage(message);
  }
}
