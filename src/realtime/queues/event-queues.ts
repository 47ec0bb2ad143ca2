import { randomBytes } from 'node:crypto';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { EventQueue } from './event-queue.js';
import { HeldByAccount, HeldByProcess } from './held.js';
import type { QueueOptions } from './queue-options.js';

interface AccountQueues {
  /** Oldest first. */
  readonly queues: Set<EventQueue>;
  readonly held: HeldByAccount;
}

/** The queues of the clients that registered with this process. They end with it: the id names the process. */
export class EventQueues {
  private readonly process = randomBytes(6).toString('hex');
  private readonly byId = new Map<string, EventQueue>();
  private readonly byUser = new Map<number, AccountQueues>();
  private readonly held = new HeldByProcess();
  private made = 0;

  /** How many there are. */
  get size(): number {
    return this.byId.size;
  }

  /** What all of them take, in bytes: nothing when they have ended. */
  get bytes(): number {
    return this.held.bytes;
  }

  /** Ids of the accounts that have queues here. */
  userIds(): Iterable<number> {
    return this.byUser.keys();
  }

  /** The queues of an account, oldest first. */
  of(userId: number): Iterable<EventQueue> {
    return this.byUser.get(userId)?.queues ?? [];
  }

  all(): Iterable<EventQueue> {
    return this.byId.values();
  }

  /** Opens a queue. Where the account has as many as it may, the one that nobody asked for longest ends. */
  open(userId: number, options: QueueOptions): EventQueue {
    const account = this.accountOf(userId);
    if (account.queues.size >= budgets.eventQueuesOfAccount.max) this.endLongestUnasked(account);
    this.made += 1;
    const queue = new EventQueue({ id: `${this.process}:${this.made}`, userId }, options, account.held);
    this.byId.set(queue.owner.id, queue);
    // It may have been the account's last that ended.
    this.byUser.set(userId, account);
    account.queues.add(queue);
    return queue;
  }

  private accountOf(userId: number): AccountQueues {
    return this.byUser.get(userId) ?? { queues: new Set(), held: new HeldByAccount(this.held) };
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
    if (!this.byId.delete(id)) return;
    const account = this.byUser.get(userId);
    account?.queues.delete(queue);
    if (account?.queues.size === 0) this.byUser.delete(userId);
    queue.end();
  }

  /** Ends a queue that has outgrown its bounds, and those that nobody asked for longest while all together are too much. */
  keepWithinBounds(queue: EventQueue): void {
    if (queue.isOverfull) this.end(queue);
    const account = this.byUser.get(queue.owner.userId);
    while (account !== undefined && account.held.bytes > budgets.eventBytesOfAccount.max) {
      this.endLongestUnasked(account);
    }
    while (this.held.bytes > budgets.eventBytesOfProcess.max) this.endLongestUnasked(this.fullest());
  }

  private endLongestUnasked({ queues }: AccountQueues): void {
    let longest: EventQueue | null = null;
    for (const queue of queues) {
      if (longest === null || queue.lastAsked < longest.lastAsked) longest = queue;
    }
    if (longest !== null) this.end(longest);
  }

  /** The account whose queues hold most. */
  private fullest(): AccountQueues {
    return [...this.byUser.values()].reduce((most, account) =>
      account.held.bytes > most.held.bytes ? account : most,
    );
  }

  endAllOf(userId: number): void {
    for (const queue of [...this.of(userId)]) this.end(queue);
  }

  /** Takes what a message said out of every queue: it was erased. */
  forgetMessage(messageId: number): void {
    for (const queue of this.all()) queue.forgetMessage(messageId);
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
