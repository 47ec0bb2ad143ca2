import type { EventQueue } from './event-queue.js';
import type { HeldByAccount } from './held.js';

/** The queues of one account. */
export interface AccountQueues {
  readonly userId: number;
  /** Oldest first. */
  readonly queues: Set<EventQueue>;
  readonly held: HeldByAccount;
  /** Who answered for the account when its first queue was opened: a bot may be given to somebody else. */
  readonly owner: OwnerQueues;
}

/** The queues of a person and all their bots. */
export interface OwnerQueues {
  readonly ownerId: number;
  /** Accounts with queues. */
  readonly accounts: Set<AccountQueues>;
  readonly held: HeldByAccount;
  /** How many queues all the accounts have. */
  count: number;
}

/** The queues of all accounts that a person answers for. */
export function* queuesOf({ accounts }: OwnerQueues): Iterable<EventQueue> {
  for (const { queues } of accounts) yield* queues;
}
