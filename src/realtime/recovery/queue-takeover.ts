import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../projections/engine/logger.js';
import { asApplicationError } from '../../http/as-application-error.js';
import { failure } from '../../kernel/errors.js';
import type { Clock } from '../../kernel/clock.js';
import { BatchedCalls } from '../../runtime/batched-calls.js';
import type { QueueStore, StoredQueue } from '../../stores/queue-store/port.js';
import { EventIds, positionOf, type QueueProgress } from '../queues/event-ids.js';
import type { EventQueue } from '../queues/event-queue.js';
import type { EventQueues } from '../queues/event-queues.js';
import { readOptions } from './stored-options.js';
import { PROCESS_TIMEOUT, type QueuePersistence } from './queue-persistence.js';
import { RestoredQueues, type OrphanedQueue, type RestoringOptions } from './restored-queues.js';

/** What {@link QueueTakeover} depends on. */
export interface QueueTakeoverOptions extends RestoringOptions {
  readonly store: QueueStore;
  readonly persistence: Pick<QueuePersistence, 'find' | 'forget'>;
  readonly queues: EventQueues;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Unique among all processes that share the stores. */
  readonly processName: string;
}

/** The queue that a client polls, and the last event that it has. */
interface QueueRequest {
  readonly userId: number;
  readonly id: string;
  readonly lastEventId: number;
}

/** Interval between checks whether a process is dead, in milliseconds. */
const CHECK_INTERVAL = 500;

/**
 * Finds the queues of this process, and takes over those of dead processes by restoring their events from
 * the log.
 */
export class QueueTakeover {
  private readonly pending = new Map<string, Promise<EventQueue>>();
  private readonly restoring = new BatchedCalls<OrphanedQueue, EventQueue | null>((lost) =>
    this.restore(lost),
  );

  constructor(private readonly options: QueueTakeoverOptions) {}

  /**
   * Finds a queue of the account. It may wait until a process that does not answer counts as dead.
   *
   * @throws ApplicationError `badEventQueueId`, `eventsPruned`, `eventNotInQueue`
   */
  async find(request: QueueRequest): Promise<EventQueue> {
    const { queues } = this.options;
    if (queues.get(request.id) !== null) return queues.find(request.userId, request.id);
    const kept = await this.kept(request);
    // Another request may have restored it meanwhile.
    if (queues.get(request.id) !== null) return queues.find(request.userId, request.id);
    const pending = this.pending.get(request.id) ?? this.takeOver(kept, request.lastEventId);
    this.pending.set(request.id, pending);
    try {
      return await pending;
    } finally {
      this.pending.delete(request.id);
    }
  }

  /**
   * Ends a queue of the account, whichever process has it.
   *
   * @throws ApplicationError `badEventQueueId`
   */
  async end(request: Omit<QueueRequest, 'lastEventId'>): Promise<void> {
    const { queues, persistence } = this.options;
    if (queues.get(request.id) === null) await this.claim(await this.kept(request));
    else queues.end(queues.find(request.userId, request.id));
    await persistence.forget(request.id);
  }

  private async kept({ userId, id }: Omit<QueueRequest, 'lastEventId'>): Promise<StoredQueue> {
    const kept = await this.options.persistence.find(id);
    if (kept?.userId !== userId) throw failure('badEventQueueId', { queue_id: id });
    return kept;
  }

  private async takeOver(kept: StoredQueue, lastEventId: number): Promise<EventQueue> {
    const gone = failure('badEventQueueId', { queue_id: kept.id });
    const progress = await this.progressOf(kept, lastEventId);
    await this.claim(kept);
    const options = readOptions(kept.options);
    const { id, userId, settled } = kept;
    const lost = options === null ? null : { owner: { id, userId }, options, progress, settled };
    const [queue] = lost === null ? [null] : await this.restoring.call([lost]);
    if (queue) return queue;
    await this.options.persistence.forget(id);
    throw gone;
  }

  /**
   * The client's own word outweighs the stored progress, because its last events may not have been stored as
   * delivered.
   */
  private async progressOf(
    { base, first, acknowledged }: StoredQueue,
    lastEventId: number,
  ): Promise<QueueProgress> {
    const id = new EventIds({ base, first, acknowledged }).meant(lastEventId);
    if (id < acknowledged) throw failure('eventsPruned', { reason: lastEventId });
    const head = (await this.options.log.store.head()) ?? 0;
    if (positionOf(id, base) > head) throw failure('eventNotInQueue', { reason: lastEventId });
    return { base, first, acknowledged: id };
  }

  /**
   * Takes a queue over from a dead process. A process that is alive keeps its queues: the request went to the
   * wrong one.
   *
   * @throws ApplicationError `badEventQueueId`
   */
  private async claim({ id, holder: from }: StoredQueue): Promise<void> {
    const { store, processName: to } = this.options;
    if (from !== to && (await this.isAlive(from))) throw failure('badEventQueueId', { queue_id: id });
    if (!(await store.take(id, { from, to }))) throw failure('badEventQueueId', { queue_id: id });
  }

  private async isAlive(holder: string): Promise<boolean> {
    const { store, clock } = this.options;
    const first = await store.holderUntil(holder);
    const deadline = clock.now() + PROCESS_TIMEOUT;
    for (let until = first; until !== null && until > clock.now(); until = await store.holderUntil(holder)) {
      if (until !== first || clock.now() > deadline) return true;
      await delay(CHECK_INTERVAL);
    }
    return false;
  }

  /** The new queue for each lost one; null: it cannot be restored. */
  private async restore(lost: readonly OrphanedQueue[]): Promise<readonly (EventQueue | null)[]> {
    const { queues, logger } = this.options;
    const userIds = lost.map(({ owner }) => owner.userId);
    try {
      const made = await queues.whileRestoring(userIds, () => new RestoredQueues(this.options).restore(lost));
      return lost.map(({ owner }) => made.get(owner.id) ?? null);
    } catch (error) {
      // Read models lag, or a store does not answer: the client retries, and nothing is lost.
      if (asApplicationError(error).status === 503) throw error;
      logger.error({ err: error }, 'Queues of events could not be made again: their clients register again');
      return lost.map(() => null);
    }
  }
}
