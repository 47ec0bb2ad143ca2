import { randomBytes } from 'node:crypto';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { atRegistration, type QueueProgress } from './event-ids.js';
import { EventQueue, type QueueOwner } from './event-queue.js';
import { HeldByAccount, HeldByProcess } from './held.js';
import type { QueueOptions } from './queue-options.js';

interface AccountQueues {
  /** Oldest first. */
  readonly queues: Set<EventQueue>;
  readonly held: HeldByAccount;
}

/** What is told of queues that end. */
export interface QueueEndings {
  ended(queue: EventQueue): void;
  /** Nothing is to be left of queues whose clients registered before a position of the log, wherever they are. */
  forgottenBefore(position: number): void;
}

const untold: QueueEndings = { ended: () => {}, forgottenBefore: () => {} };

/** The queues of the clients that this process tells of events: of those that registered with it, and of those that it took over. */
export class EventQueues {
  private readonly process = randomBytes(6).toString('hex');
  private readonly byId = new Map<string, EventQueue>();
  private readonly byUser = new Map<number, AccountQueues>();
  private readonly held = new HeldByProcess();
  /** By account, how many queues are being made again: they are not among the others yet. */
  private readonly returning = new Map<number, number>();
  private made = 0;
  /** Who keeps them beyond this process. */
  endings: QueueEndings = untold;

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
  open(userId: number, options: QueueOptions, position = 0): EventQueue {
    this.made += 1;
    const owner = { id: `${this.process}:${this.made}`, userId };
    return this.make(owner, { options, progress: atRegistration(position) });
  }

  /** Opens the queue of a client that is so far, and has it be the same one. */
  make(
    owner: QueueOwner,
    { options, progress }: { readonly options: QueueOptions; readonly progress: QueueProgress },
  ): EventQueue {
    const account = this.accountWithRoom(owner.userId);
    const queue = new EventQueue(owner, options, account.held, progress);
    return this.add(queue, account);
  }

  /** Has a queue that was made again elsewhere be one of these. */
  adopt(queue: EventQueue): void {
    const account = this.accountWithRoom(queue.owner.userId);
    queue.countFor(account.held);
    this.add(queue, account);
    this.keepWithinBounds(queue);
  }

  private add(queue: EventQueue, account: AccountQueues): EventQueue {
    this.byId.set(queue.owner.id, queue);
    // It may have been the account's last that ended.
    this.byUser.set(queue.owner.userId, account);
    account.queues.add(queue);
    return queue;
  }

  private accountWithRoom(userId: number): AccountQueues {
    const account = this.accountOf(userId);
    if (account.queues.size >= budgets.eventQueuesOfAccount.max) this.endLongestUnasked(account);
    return account;
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
    const queue = this.here(id);
    if (queue?.owner.userId !== userId) throw failure('badEventQueueId', { queue_id: id });
    return queue;
  }

  /** Whosever it is; null: there is none of that id here. */
  here(id: string): EventQueue | null {
    return this.byId.get(id) ?? null;
  }

  end(queue: EventQueue): void {
    if (!this.release(queue)) return;
    queue.end();
    this.endings.ended(queue);
  }

  /** Hands a queue over: it is none of these any more, and goes on. @returns whether it was one of these */
  release(queue: EventQueue): boolean {
    const { id, userId } = queue.owner;
    if (!this.byId.delete(id)) return false;
    const account = this.byUser.get(userId);
    account?.queues.delete(queue);
    if (account?.queues.size === 0) this.byUser.delete(userId);
    return true;
  }

  /** Whether anything need be read for an account: it has a queue here, or one that is being made again. */
  isHeard(userId: number): boolean {
    return this.byUser.has(userId) || this.returning.has(userId);
  }

  /** Ids of all accounts that are heard. */
  heard(): readonly number[] {
    return [...new Set([...this.byUser.keys(), ...this.returning.keys()])];
  }

  /** Has accounts be heard while work goes on for their queues. */
  async hearing<Result>(userIds: readonly number[], work: () => Promise<Result>): Promise<Result> {
    for (const id of userIds) this.returning.set(id, (this.returning.get(id) ?? 0) + 1);
    try {
      return await work();
    } finally {
      for (const id of userIds) {
        const left = (this.returning.get(id) ?? 0) - 1;
        if (left > 0) this.returning.set(id, left);
        else this.returning.delete(id);
      }
    }
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

  /**
   * Ends every queue whose client registered before somebody was erased, and has nothing be left of it: they may be in any of them. Those
   * that were opened since know nothing of them, and stay, however often and late a process is told of the erasure.
   *
   * @param erased position of the log at which the erasure stands
   */
  forgetBefore(erased: number): void {
    for (const queue of [...this.all()]) if (queue.progress.base < erased) this.end(queue);
    this.endings.forgottenBefore(erased);
  }

  /** Ends those that nobody has asked for too long. */
  sweep(): void {
    for (const queue of [...this.all()]) if (queue.isIdle()) this.end(queue);
  }
}
