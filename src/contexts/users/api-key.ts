import { hash, randomInt } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 32;

/** A new API key: 32 letters and digits, about 190 bits. */
export function newApiKey(): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/**
 * The hexadecimal SHA-256 of a key, under which it is stored and found. A random key needs no slower hash.
 */
export function apiKeyDigest(key: string): string {
  return hash('sha256', key);
}

/** Id of a key in its owner's list: the first 64 bits of its digest, which reveal nothing about the key. */
export function apiKeyId(digest: string): string {
  return digest.slice(0, 16);
}
