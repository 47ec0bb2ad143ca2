import type { Algorithm } from '@node-rs/argon2';
import pLimit, { type LimitFunction } from 'p-limit';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';

/**
 * Argon2id with OWASP's recommended parameters: 19 MiB, two passes. It runs on the thread pool, not on the
 * request thread.
 */
const cost = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** How many hashes are computed at once: the thread pool also reads files. */
const limit = pLimit(2);

/** Loaded with the first password, because most clients use an API key. */
const argon2 = () => import('@node-rs/argon2');

/**
 * Hashes a password with a random salt.
 *
 * @throws ApplicationError `unavailable` when too many are waiting
 */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return inTurn(() => hash(password, cost));
}

/** Passwords of one asker, which are hashed one after another. */
interface AskedPasswords {
  readonly limit: LimitFunction;
  count: number;
}

const byAsker = new Map<string, AskedPasswords>();

/** Each asker has one password among those that wait for all, so the many of one delay only that asker. */
async function inTurnOf<Result>(asker: string, work: () => Promise<Result>): Promise<Result> {
  const asked = byAsker.get(asker) ?? { limit: pLimit(1), count: 0 };
  if (asked.limit.pendingCount >= budgets.waitingPasswordsOfAsker.max) throw failure('unavailable');
  byAsker.set(asker, asked);
  asked.count += 1;
  try {
    return await asked.limit(() => inTurn(work));
  } finally {
    asked.count -= 1;
    if (asked.count === 0) byAsker.delete(asker);
  }
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (limit.pendingCount >= budgets.waitingPasswords.max) throw failure('unavailable');
  return limit(work);
}

/** Verified when there is no account, so that this takes as long as a wrong password. */
let decoy: Promise<string> | undefined;

/**
 * Whether the password is the one that was hashed. Takes the same time if there is no hash.
 *
 * @param hashed null when the account does not exist or has no password
 * @param asker who asks, so that askers take turns: an address or an account
 * @throws ApplicationError `unavailable` when too many are waiting
 */
export async function verifyPassword(
  hashed: string | null,
  password: string,
  asker: string | null = null,
): Promise<boolean> {
  const { hash, verify } = await argon2();
  decoy ??= hash('no password is ever compared with this', cost);
  const known = hashed ?? (await decoy);
  const work = (): Promise<boolean> => verify(known, password);
  const matches = await (asker === null ? inTurn(work) : inTurnOf(asker, work));
  return matches && hashed !== null;
}
