import { hash, randomInt } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 32;

/** A new API key: 32 letters and digits, about 190 bits. */
export function newApiKey(): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/** What a key is kept and found by: its SHA-256, hexadecimal. A random key needs no slower hash. */
export function apiKeyDigest(key: string): string {
  return hash('sha256', key);
}

/** What names a key to the account that holds it: the first 64 bits of its digest, which tell nothing of the key. */
export function apiKeyId(digest: string): string {
  return digest.slice(0, 16);
}
