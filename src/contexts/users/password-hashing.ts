import type { Algorithm } from '@node-rs/argon2';
import { budgets } from '../../kernel/budgets.js';
import { FairLimit } from '../../runtime/fair-limit.js';

/**
 * Argon2id with OWASP's recommended parameters: 19 MiB, two passes. It runs on the thread pool, not on the
 * request thread.
 */
const cost = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Two hashes are computed at once: the thread pool also reads files. Requesters are addresses or accounts. */
const limit = new FairLimit<string>({
  atOnce: 2,
  waiting: budgets.waitingPasswords,
  waitingOfRequester: budgets.waitingPasswordsOfRequester,
});

/** Loaded with the first password, because most clients use an API key. */
const argon2 = () => import('@node-rs/argon2');

/**
 * Hashes a password with a random salt.
 *
 * @throws ApplicationError `unavailable` when too many are waiting
 */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return limit.run(() => hash(password, cost));
}

/** Verified when there is no account, so that this takes as long as a wrong password. */
let decoy: Promise<string> | undefined;

/**
 * Whether the password is the one that was hashed. It takes the same time if there is no hash.
 *
 * @param hashed null: the account does not exist or has no password
 * @param requester the address or account that sends the password, which has a queue of its own; null: only the common
 *   queue
 * @throws ApplicationError `unavailable` when too many are waiting
 */
export async function verifyPassword(
  hashed: string | null,
  password: string,
  requester: string | null = null,
): Promise<boolean> {
  const { hash, verify } = await argon2();
  decoy ??= hash('no password is ever compared with this', cost);
  const known = hashed ?? (await decoy);
  const work = (): Promise<boolean> => verify(known, password);
  const matches = await (requester === null ? limit.run(work) : limit.runFor(requester, work));
  return matches && hashed !== null;
}
