import type { EventLog } from '../../stores/event-store/event-log.js';
import { directoryEventTypes } from '../../access/directory-event-types.js';
import { budgets } from '../../kernel/budgets.js';
import { Delivery } from '../delivery.js';
import type { EventFeed } from '../event-feed.js';
import { dispatchedTypes, type PageDispatcher } from '../page-dispatcher.js';
import type { QueueProgress } from '../queues/event-ids.js';
import type { EventQueue, QueueOwner } from '../queues/event-queue.js';
import { EventQueues } from '../queues/event-queues.js';
import type { QueueOptions } from '../queues/queue-options.js';
import type { PastDirectories } from './past-directories.js';

/** A queue of a dead process that is to be restored. */
export interface OrphanedQueue {
  readonly owner: QueueOwner;
  readonly options: QueueOptions;
  readonly progress: QueueProgress;
  /** Log position up to which its client has all events. */
  readonly settled: number;
}

/** What queues are restored from. */
export interface RestoringOptions {
  readonly log: EventLog;
  readonly feed: EventFeed;
  readonly mappers: Parameters<typeof dispatchedTypes>[0]['mappers'];
  readonly past: Pick<PastDirectories, 'at'>;
  /** The live queues of this process, which the new ones join. */
  readonly queues: EventQueues;
}

/** How many events are read at once. */
const PAGE = 256;

/**
 * Restores lost queues: dispatches the events that their clients do not have yet to them, with the
 * directory as of each event, and then adds them to the live queues without losing or repeating an event.
 */
export class RestoredQueues {
  private readonly own = new EventQueues();
  private readonly delivery = new Delivery(this.own);
  /** How many events of the log were dispatched to each queue. */
  private readonly dispatched = new Map<EventQueue, number>();
  private readonly types: readonly string[];

  constructor(private readonly options: RestoringOptions) {
    this.types = [...dispatchedTypes(options)];
  }

  /**
   * @returns the restored queues, by id; queues over the budget and those of deactivated accounts
   * are missing
   */
  async restore(lost: readonly OrphanedQueue[]): Promise<ReadonlyMap<string, EventQueue>> {
    const { feed, past } = this.options;
    const inOrder = [...lost].sort((one, other) => one.settled - other.settled);
    const position = inOrder[0]?.settled ?? 0;
    // The read models have passed everything up to this position.
    const end = await feed.whilePaused((snapshot) => Promise.resolve(snapshot.position));
    const directory = await past.at(position);
    if (directory === null) return new Map();
    const dispatcher = feed.dispatcherOf(
      { queues: this.own, delivery: this.delivery },
      { directory, position },
    );
    for (const { owner, options, progress, settled } of inOrder) {
      await this.advance(dispatcher, Math.min(settled, end));
      this.dispatched.set(this.own.make(owner, { options, progress }), 0);
    }
    await this.advance(dispatcher, end);
    return feed.whilePaused((snapshot) => this.join(dispatcher, snapshot.position));
  }

  private async join(dispatcher: PageDispatcher, position: number): Promise<ReadonlyMap<string, EventQueue>> {
    await this.advance(dispatcher, position);
    const made = new Map([...this.own.all()].map((queue) => [queue.owner.id, queue]));
    for (const queue of made.values()) {
      this.own.release(queue);
      this.options.queues.adopt(queue);
    }
    return made;
  }

  /** Dispatches everything through a position; while no queue is open, only the directory is updated. */
  private async advance(dispatcher: PageDispatcher, through: number): Promise<void> {
    if (through <= dispatcher.position) return;
    const { isWatched } = dispatcher;
    const types = isWatched ? this.types : [...directoryEventTypes];
    const { store } = this.options.log;
    for await (const page of store.readAll({ after: dispatcher.position, types, pageSize: PAGE })) {
      const events = page.events.filter(({ position }) => position <= through);
      await dispatcher.dispatch(events);
      await this.delivery.flush();
      this.endThoseOverBudget(events.length);
      if (isWatched && !dispatcher.isWatched) return this.advance(dispatcher, through);
      if (events.length < page.events.length || page.position >= through) break;
    }
    dispatcher.pass(through);
  }

  private endThoseOverBudget(count: number): void {
    for (const queue of [...this.own.all()]) {
      const total = (this.dispatched.get(queue) ?? 0) + count;
      this.dispatched.set(queue, total);
      if (total > budgets.eventsMappedAgain.max) this.own.end(queue);
    }
  }
}
