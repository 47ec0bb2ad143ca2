import { hash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { encrypt, randomKey } from '../../src/stores/key-store/envelope.js';
import type { Vault } from '../../src/stores/key-store/vault.js';
import { encryptNotification } from '../../src/contexts/push/device-keys.js';
import { TemporaryLinks } from '../../src/contexts/uploads/uploaded-files.js';

/** Several times the number that is generated at once. */
const many = 1_000;

function distinct(make: () => Uint8Array | string): number {
  // Copies each value, so that the test notices if a later one overwrites it.
  return new Set(Array.from({ length: many }, () => Buffer.from(make()).toString('hex'))).size;
}

describe('what must never repeat', () => {
  it('are the keys of records', () => {
    expect(distinct(randomKey)).toBe(many);
  });

  it('are initialisation vectors under one key', () => {
    const key = randomKey();
    const vector = (): Uint8Array =>
      encrypt(key, { plaintext: 'the same', boundTo: 'the same' }).subarray(0, 12);
    expect(distinct(vector)).toBe(many);
  });

  it('are nonces of notifications to one device', () => {
    const key = randomBytes(32);
    const nonce = (): Uint8Array =>
      Buffer.from(encryptNotification(key, { content: 'the same' }), 'base64').subarray(0, 24);
    expect(distinct(nonce)).toBe(many);
  });
});

describe('a temporary link', () => {
  it('opens its file for a minute, and never after it', () => {
    let now = 1_000_000;
    const vault: Pick<Vault, 'linkDigest'> = {
      linkDigest: (purpose, name) => hash('sha256', `${purpose} ${name}`),
    };
    const links = Reflect.construct(TemporaryLinks, [vault, { now: () => now }]) as TemporaryLinks;
    const token = links.make('2/ab/cat', 'cat.png').split('/').at(-2) ?? '';
    expect(links.open(token)).toBe('2/ab/cat');
    now += 59_999;
    expect(links.open(token)).toBe('2/ab/cat');
    now += 1;
    expect(links.open(token)).toBeNull();
    now += 1_000_000_000;
    expect(links.open(token)).toBeNull();
  });
});
