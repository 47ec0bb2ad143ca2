import type { Algorithm } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';

/** Argon2id as OWASP recommends it: 19 MiB, two passes. It runs on the thread pool, not on the thread of requests. */
const cost = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes that are made at a time: the thread pool that they run on reads files, too. */
const limit = pLimit(2);

/** The first password loads it: most clients have an API key. */
const argon2 = () => import('@node-rs/argon2');

/**
 * Hashes a password with a salt of its own.
 *
 * @throws ApplicationError `unavailable` when too many wait for their turn
 */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return inTurn(() => hash(password, cost));
}

function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (limit.pendingCount >= budgets.waitingPasswords.max) throw failure('unavailable');
  return limit(work);
}

/** Verified against when there is no account, so that its absence takes as long to learn as a wrong password. */
let decoy: Promise<string> | undefined;

/**
 * Whether the password is the one that was hashed. Takes as long when there is no hash.
 *
 * @param hashed null when the account does not exist or has no password
 * @throws ApplicationError `unavailable` when too many wait for their turn
 */
export async function verifyPassword(hashed: string | null, password: string): Promise<boolean> {
  const { hash, verify } = await argon2();
  decoy ??= hash('no password is ever compared with this', cost);
  const known = hashed ?? (await decoy);
  const matches = await inTurn(() => verify(known, password));
  return matches && hashed !== null;
}
