import { randomBytes } from 'node:crypto';
import type { OwnerOf } from '../../access/account-owners.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { atRegistration, type QueueProgress } from './event-ids.js';
import { EventQueue, type QueueOwner } from './event-queue.js';
import { ProcessMemory } from './queue-memory.js';
import {
  leastRecentlyPolled,
  noQueuesOf,
  noQueuesOfOwner,
  queuesOf,
  type AccountQueues,
  type OwnerQueues,
} from './account-queues.js';
import type { QueueOptions } from './queue-options.js';

/** Receives notifications about queues that end. */
export interface QueueEndings {
  ended(queue: EventQueue): void;
  /** Every queue whose client registered before this log position is to be removed from all stores. */
  forgottenBefore(position: number): void;
}

const noEndings: QueueEndings = { ended: () => {}, forgottenBefore: () => {} };

/** The live queues of this process: those of clients that registered with it, and those that it took over. */
export class EventQueues {
  private readonly process = randomBytes(6).toString('hex');
  private readonly byId = new Map<string, EventQueue>();
  private readonly byUser = new Map<number, AccountQueues>();
  private readonly byOwner = new Map<number, OwnerQueues>();
  private readonly held = new ProcessMemory();
  /** Number of queues that are being restored, by account: they are not live yet. */
  private readonly returning = new Map<number, number>();
  private made = 0;
  /** Keeps stored queues up to date when live ones end. */
  endings: QueueEndings = noEndings;

  /** @param ownerOf the owners of bots: the queues of a person and all their bots count together */
  constructor(private readonly ownerOf: OwnerOf = (userId) => userId) {}

  /** How many queues there are. */
  get size(): number {
    return this.byId.size;
  }

  /** Memory that all of them take, in bytes; ended queues take none. */
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

  /**
   * Opens a queue. If the account, its owner or this process has the maximum number of queues, the one that was
   * not polled for longest ends: of the account, of the owner, or of the owner with the most queues.
   */
  open(userId: number, options: QueueOptions, position = 0): EventQueue {
    this.made += 1;
    const owner = { id: `${this.process}:${this.made}`, userId };
    const queue = this.make(owner, { options, progress: atRegistration(position) });
    this.keepWithinBounds(queue);
    return queue;
  }

  /** Rebuilds the queue of a client at this progress, under the same id. */
  make(
    owner: QueueOwner,
    { options, progress }: { readonly options: QueueOptions; readonly progress: QueueProgress },
  ): EventQueue {
    const account = this.accountWithRoom(owner.userId);
    const queue = new EventQueue(owner, options, { counter: account.held, progress });
    return this.add(queue, account);
  }

  /** Adds a queue that was restored elsewhere to the live ones. */
  adopt(queue: EventQueue): void {
    const account = this.accountWithRoom(queue.owner.userId);
    queue.countFor(account.held);
    this.add(queue, account);
    this.keepWithinBounds(queue);
  }

  private add(queue: EventQueue, account: AccountQueues): EventQueue {
    this.byId.set(queue.owner.id, queue);
    // The queue that ended may have been the last of the account, which removes the account.
    const { owner } = account;
    this.byUser.set(account.userId, account);
    this.byOwner.set(owner.ownerId, owner);
    owner.accounts.add(account);
    account.queues.add(queue);
    owner.count += 1;
    return queue;
  }

  private accountWithRoom(userId: number): AccountQueues {
    const account = this.accountOf(userId);
    const { owner } = account;
    if (account.queues.size >= budgets.eventQueuesOfAccount.max) this.endLeastRecentlyPolled(account.queues);
    if (owner.count >= budgets.eventQueuesOfOwner.max) this.endLeastRecentlyPolled(queuesOf(owner));
    if (this.size >= budgets.eventQueuesOfProcess.max)
      this.endLeastRecentlyPolled(queuesOf(this.ownerWithMost(({ count }) => count)));
    return account;
  }

  private accountOf(userId: number): AccountQueues {
    const known = this.byUser.get(userId);
    if (known !== undefined) return known;
    const ownerId = this.ownerOf(userId);
    return noQueuesOf(userId, this.byOwner.get(ownerId) ?? noQueuesOfOwner(ownerId, this.held));
  }

  /**
   * A queue of the account.
   *
   * @throws ApplicationError `badEventQueueId` when there is none with that id, or it is of another account
   */
  find(userId: number, id: string): EventQueue {
    const queue = this.get(id);
    if (queue?.owner.userId !== userId) throw failure('badEventQueueId', { queue_id: id });
    return queue;
  }

  /** A queue by id, of any account; null: none here. */
  get(id: string): EventQueue | null {
    return this.byId.get(id) ?? null;
  }

  end(queue: EventQueue): void {
    if (!this.release(queue)) return;
    queue.end();
    this.endings.ended(queue);
  }

  /**
   * Removes a queue from the live ones without ending it.
   *
   * @returns whether it was live here
   */
  release(queue: EventQueue): boolean {
    const { id, userId } = queue.owner;
    if (!this.byId.delete(id)) return false;
    const account = this.byUser.get(userId);
    if (account?.queues.delete(queue) !== true) return true;
    const { owner, queues } = account;
    owner.count -= 1;
    if (queues.size > 0) return true;
    this.byUser.delete(userId);
    owner.accounts.delete(account);
    if (owner.accounts.size === 0) this.byOwner.delete(owner.ownerId);
    return true;
  }

  /** Whether an account has a queue here, or one that is being restored: then mappers must read for it. */
  hasClient(userId: number): boolean {
    return this.byUser.has(userId) || this.returning.has(userId);
  }

  /** Ids of all accounts for which {@link hasClient} holds. */
  accountsWithClients(): readonly number[] {
    return [...new Set([...this.byUser.keys(), ...this.returning.keys()])];
  }

  /** Counts accounts as connected while their queues are being restored. */
  async whileRestoring<Result>(userIds: readonly number[], work: () => Promise<Result>): Promise<Result> {
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

  /**
   * Ends a queue that exceeds its limits, and if all of the account, of its owner or of this process take too
   * much memory, those that were not polled for longest.
   */
  keepWithinBounds(queue: EventQueue): void {
    if (queue.isOverfull) this.end(queue);
    const account = this.byUser.get(queue.owner.userId);
    while (account !== undefined && account.held.bytes > budgets.eventBytesOfAccount.max) {
      this.endLeastRecentlyPolled(account.queues);
    }
    while (account !== undefined && account.owner.held.bytes > budgets.eventBytesOfOwner.max) {
      this.endLeastRecentlyPolled(queuesOf(account.owner));
    }
    while (this.held.bytes > budgets.eventBytesOfProcess.max) {
      this.endLeastRecentlyPolled(queuesOf(this.ownerWithMost(({ held }) => held.bytes)));
    }
  }

  private endLeastRecentlyPolled(queues: Iterable<EventQueue>): void {
    const longest = leastRecentlyPolled(queues);
    if (longest !== null) this.end(longest);
  }

  private ownerWithMost(measure: (owner: OwnerQueues) => number): OwnerQueues {
    return [...this.byOwner.values()].reduce((most, owner) =>
      measure(owner) > measure(most) ? owner : most,
    );
  }

  endAllOf(userId: number): void {
    for (const queue of [...this.of(userId)]) this.end(queue);
  }

  /** Removes the text of an erased message from every queue. */
  forgetMessage(messageId: number): void {
    for (const queue of this.all()) queue.forgetMessage(messageId);
  }

  /** Ends every queue, when any of them may have missed an event. */
  endAll(): void {
    for (const queue of [...this.all()]) this.end(queue);
  }

  /**
   * Ends and removes every queue whose client registered before somebody was erased, because it may contain
   * that person. Queues that were opened later do not, and stay, however often and late a process handles the
   * erasure.
   *
   * @param erased log position of the erasure
   */
  forgetBefore(erased: number): void {
    for (const queue of [...this.all()]) if (queue.progress.base < erased) this.end(queue);
    this.endings.forgottenBefore(erased);
  }

  /** Ends the queues that were not polled for too long. */
  sweep(): void {
    for (const queue of [...this.all()]) if (queue.isIdle()) this.end(queue);
  }
}
