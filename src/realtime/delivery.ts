import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Directory } from '../directory/directory.js';
import type { User } from '../users/user.js';
import type { ClientEvent } from './client-event.js';
import type { EventQueue } from './queues/event-queue.js';
import { EventQueues } from './queues/event-queues.js';
import { wants } from './queues/queue-options.js';
import type { Audience, Notice } from './translation.js';

/** So many clients are answered before anybody else has a turn. */
const AT_ONCE = 50;

/** Puts client events into the queues that are live in this process, and no others. */
@Injectable()
export class Delivery {
  private readonly touched = new Set<EventQueue>();

  constructor(private readonly queues: EventQueues) {}

  /** Adds the events to the queues of everyone who is to get them. */
  deliver(notices: readonly Notice[], directory: Directory): void {
    for (const { to, event } of notices) {
      for (const user of this.receivers(to, directory)) {
        for (const queue of this.queues.of(user.id)) {
          const { options, owner } = queue;
          const made = typeof event === 'function' ? event({ user, queueId: owner.id, options }) : event;
          if (made !== null) this.push(queue, made);
        }
      }
    }
  }

  /**
   * Answers the clients that wait, and ends the queues that have grown too long. It lets others in between, so that a request
   * does not wait for thousands of clients to be answered.
   */
  async flush(): Promise<void> {
    const touched = [...this.touched];
    this.touched.clear();
    for (const [index, queue] of touched.entries()) {
      if (index > 0 && index % AT_ONCE === 0) await nextTurn();
      queue.flush();
      if (queue.isOverfull) this.queues.end(queue);
    }
  }

  private push(queue: EventQueue, made: ClientEvent | readonly ClientEvent[]): void {
    const events = Array.isArray(made) ? (made as readonly ClientEvent[]) : [made as ClientEvent];
    for (const event of events) {
      if (!wants(queue.options, event.type)) continue;
      queue.push(event);
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
