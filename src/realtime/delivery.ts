import { Injectable } from '@nestjs/common';
import type { Directory } from '../access/directory.js';
import { TimeSlice } from '../runtime/time-slice.js';
import type { User } from '../access/records/user.js';
import { SharedEvents, type ClientEvent } from './client-event.js';
import type { EventSource } from './queues/event-ids.js';
import type { EventQueue } from './queues/event-queue.js';
import { EventQueues } from './queues/event-queues.js';
import { wants } from './queues/queue-options.js';
import type { Audience, AddressedEvent, Receiver } from './mapper.js';

/** The clients that an event could not be made for. */
export interface FailedReceivers {
  readonly count: number;
  /** The error of the first one. */
  readonly error: unknown;
}

/** What is needed to deliver events of one source. */
interface Delivered {
  /** The accounts that may receive the events. */
  readonly directory: Directory;
  readonly source: EventSource;
}

/** Puts client events into the live queues of this process. */
@Injectable()
export class Delivery {
  private readonly touched = new Set<EventQueue>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(readonly queues: EventQueues) {}

  /**
   * Adds the events to the queues of everyone who is to receive them, yielding to other requests in between.
   * Deliveries run one after the other, so that the events of one source stay together.
   *
   * If the event cannot be made for one client, that client's queue ends, so that it registers again and gets the
   * present state. An event that is not in the log is only left out.
   *
   * @returns the clients that did not get an event; null: none
   */
  deliver(clientEvents: readonly AddressedEvent[], from: Delivered): Promise<FailedReceivers | null> {
    const delivered = this.last.then(() => this.deliverNow(clientEvents, from));
    // The caller gets the error; the next delivery goes ahead.
    this.last = delivered.catch(() => undefined);
    return delivered;
  }

  private async deliverNow(
    clientEvents: readonly AddressedEvent[],
    { directory, source }: Delivered,
  ): Promise<FailedReceivers | null> {
    const slice = new TimeSlice();
    const errors: unknown[] = [];
    for (const { to, event, types } of clientEvents) {
      const alike = new SharedEvents();
      for (const user of this.receivers(to, directory)) {
        if (slice.isOver) await slice.next();
        for (const queue of this.queues.of(user.id)) {
          if (!wantsOneOf(queue, typeof event === 'function' ? types : [event.type])) continue;
          try {
            const made = madeFor({ user, queue }, event);
            if (made !== null) this.push(queue, made, { alike, source });
          } catch (error) {
            errors.push(error);
            if (source.position !== null) this.queues.end(queue);
          }
        }
      }
    }
    return errors.length === 0 ? null : { count: errors.length, error: errors[0] };
  }

  /**
   * Answers the clients that wait, and ends the queues that hold too much. Yields in between, so that a
   * request does not wait for thousands of clients to be answered.
   */
  async flush(): Promise<void> {
    const touched = [...this.touched];
    this.touched.clear();
    const slice = new TimeSlice();
    for (const queue of touched) {
      if (slice.isOver) await slice.next();
      queue.flush();
      this.queues.keepWithinBounds(queue);
    }
  }

  private push(
    queue: EventQueue,
    made: ClientEvent | readonly ClientEvent[],
    { alike, source }: { readonly alike: SharedEvents; readonly source: EventSource },
  ): void {
    const events = Array.isArray(made) ? (made as readonly ClientEvent[]) : [made as ClientEvent];
    for (const event of events) {
      if (!wants(queue.options, event.type)) continue;
      alike.share(event);
      queue.push(event, source);
      this.touched.add(queue);
    }
  }

  private *receivers(to: Audience, directory: Directory): Iterable<User> {
    const ids = Array.isArray(to) ? (to as readonly number[]) : this.queues.userIds();
    const test = typeof to === 'function' ? to : null;
    for (const id of ids) {
      const user = directory.user(id);
      if (user?.isActive === true && (test === null || test(user))) yield user;
    }
  }
}

/** Absent types may be any. */
function wantsOneOf({ options }: EventQueue, types: readonly string[] | undefined): boolean {
  return types === undefined || types.some((type) => wants(options, type));
}

function madeFor(
  { user, queue }: Pick<Receiver, 'user'> & { readonly queue: EventQueue },
  event: AddressedEvent['event'],
): ClientEvent | readonly ClientEvent[] | null {
  const { options, owner } = queue;
  return typeof event === 'function' ? event({ user, queueId: owner.id, options }) : event;
}
