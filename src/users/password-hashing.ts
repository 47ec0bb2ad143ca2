import type { Algorithm } from '@node-rs/argon2';

/** Argon2id as OWASP recommends it: 19 MiB, two passes. It runs on the thread pool, not on the thread of requests. */
const cost = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The first password loads it: most clients have an API key. */
const argon2 = () => import('@node-rs/argon2');

/** Hashes a password with a salt of its own. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2();
  return hash(password, cost);
}

/** Verified against when there is no account, so that its absence takes as long to learn as a wrong password. */
let decoy: Promise<string> | undefined;

/**
 * Whether the password is the one that was hashed. Takes as long when there is no hash.
 *
 * @param hashed null when the account does not exist or has no password
 */
export async function verifyPassword(hashed: string | null, password: string): Promise<boolean> {
  const { verify } = await argon2();
  decoy ??= hashPassword('no password is ever compared with this');
  const matches = await verify(hashed ?? (await decoy), password);
  return matches && hashed !== null;
}
