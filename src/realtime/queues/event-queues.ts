import { randomBytes } from 'node:crypto';
import { failure } from '../../kernel/errors.js';
import { EventQueue } from './event-queue.js';
import type { QueueOptions } from './queue-options.js';

/** How many queues one account may have at once; a new one then ends the oldest. */
const MOST_QUEUES = 2_000;

/** The queues of the clients that registered with this process. They end with it: the id names the process. */
export class EventQueues {
  private readonly process = randomBytes(6).toString('hex');
  private readonly byId = new Map<string, EventQueue>();
  private readonly byUser = new Map<number, Set<EventQueue>>();
  private made = 0;

  /** How many there are. */
  get size(): number {
    return this.byId.size;
  }

  /** Ids of the accounts that have queues here. */
  userIds(): Iterable<number> {
    return this.byUser.keys();
  }

  /** The queues of an account, oldest first. */
  of(userId: number): Iterable<EventQueue> {
    return this.byUser.get(userId) ?? [];
  }

  all(): Iterable<EventQueue> {
    return this.byId.values();
  }

  open(userId: number, options: QueueOptions): EventQueue {
    this.made += 1;
    const queue = new EventQueue({ id: `${this.process}:${this.made}`, userId }, options);
    this.byId.set(queue.owner.id, queue);
    let queues = this.byUser.get(userId);
    if (queues === undefined) this.byUser.set(userId, (queues = new Set()));
    queues.add(queue);
    const [oldest] = queues;
    if (queues.size > MOST_QUEUES && oldest !== undefined) this.end(oldest);
    return queue;
  }

  /**
   * A queue of the account.
   *
   * @throws ApplicationError `badEventQueueId` when there is none of that id, or it is another's
   */
  find(userId: number, id: string): EventQueue {
    const queue = this.byId.get(id);
    if (queue?.owner.userId !== userId) throw failure('badEventQueueId', { queue_id: id });
    return queue;
  }

  end(queue: EventQueue): void {
    const { id, userId } = queue.owner;
    this.byId.delete(id);
    const queues = this.byUser.get(userId);
    queues?.delete(queue);
    if (queues?.size === 0) this.byUser.delete(userId);
    queue.end();
  }

  endAllOf(userId: number): void {
    for (const queue of [...this.of(userId)]) this.end(queue);
  }

  /** Takes what a message said out of every queue: it was erased. */
  forgetMessage(messageId: number): void {
    for (const queue of this.all()) queue.forget((event) => saysTextOf(event, messageId));
  }

  /** Ends every queue: one of them may have missed something. */
  endAll(): void {
    for (const queue of [...this.all()]) this.end(queue);
  }

  /** Ends those that nobody has asked for too long. */
  sweep(): void {
    for (const queue of [...this.all()]) if (queue.isIdle()) this.end(queue);
  }
}

/** A new message, another text of it, or what was attached to it. */
function saysTextOf(event: Readonly<Record<string, unknown>>, messageId: number): boolean {
  const { type, message, message_id: changed } = event;
  const isSaid =
    typeof message === 'object' && message !== null && 'id' in message && message.id === messageId;
  const isChanged = (type === 'update_message' || type === 'submessage') && changed === messageId;
  return (type === 'message' && isSaid) || isChanged;
}
