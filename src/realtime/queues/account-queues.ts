import type { EventQueue } from './event-queue.js';
import { AccountMemory, type ProcessMemory } from './queue-memory.js';

/** The queues of one account. */
export interface AccountQueues {
  readonly userId: number;
  /** Oldest first. */
  readonly queues: Set<EventQueue>;
  readonly held: AccountMemory;
  /** Who answered for the account when its first queue was opened: a bot may be given to somebody else. */
  readonly owner: OwnerQueues;
}

/** The queues of a person and all their bots. */
export interface OwnerQueues {
  readonly ownerId: number;
  /** Accounts with queues. */
  readonly accounts: Set<AccountQueues>;
  readonly held: AccountMemory;
  /** How many queues all the accounts have. */
  count: number;
}

/** The queues of all accounts that a person answers for. */
export function* queuesOf({ accounts }: OwnerQueues): Iterable<EventQueue> {
  for (const { queues } of accounts) yield* queues;
}

/** An account before its first queue is opened. */
export function noQueuesOf(userId: number, owner: OwnerQueues): AccountQueues {
  return { userId, queues: new Set(), held: new AccountMemory(owner.held), owner };
}

/** A person before the first queue of any of their accounts is opened. */
export function noQueuesOfOwner(ownerId: number, process: ProcessMemory): OwnerQueues {
  return { ownerId, accounts: new Set(), held: new AccountMemory(process), count: 0 };
}

/** The queue that was not polled for longest; null: there is none. */
export function leastRecentlyPolled(queues: Iterable<EventQueue>): EventQueue | null {
  let longest: EventQueue | null = null;
  for (const queue of queues) {
    if (longest === null || queue.lastPolled < longest.lastPolled) longest = queue;
  }
  return longest;
}
