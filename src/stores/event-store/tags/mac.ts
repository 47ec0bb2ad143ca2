import { hash, type KeyObject } from 'node:crypto';

/** Bytes of SHA-256's block and digest. */
const BLOCK = 64;
const DIGEST = 32;

const INNER = 0x36;
const OUTER = 0x5c;

/** Longer texts get a buffer of their own. */
const SHORT = 256;

/** Characters of a MAC: 128 bits as base64url. */
const CHARACTERS = 22;

/**
 * HMAC-SHA-256 (RFC 2104) of short texts under one key, truncated to 128 bits (RFC 2104, section 5). With the padded key prepared, a text
 * costs two one-shot hashes: a third of the time of an `Hmac` object. Every event that is written or read needs one.
 */
export class Mac {
  readonly #inner = Buffer.alloc(BLOCK + SHORT);
  readonly #outer = Buffer.alloc(BLOCK + DIGEST);

  /** @param key 32 bytes */
  constructor(key: KeyObject) {
    const bytes = key.export();
    for (const [pad, value] of [
      [this.#inner, INNER],
      [this.#outer, OUTER],
    ] as const) {
      pad.fill(value, 0, BLOCK);
      for (let index = 0; index < bytes.length; index += 1) pad[index] = bytes[index]! ^ value;
    }
  }

  /** @returns 22 characters of base64url */
  of(text: string): string {
    hash('sha256', this.#padded(text), 'buffer').copy(this.#outer, BLOCK);
    return hash('sha256', this.#outer, 'base64url').slice(0, CHARACTERS);
  }

  #padded(text: string): Buffer {
    const bytes = Buffer.byteLength(text);
    const inner =
      bytes <= SHORT ? this.#inner : Buffer.concat([this.#inner.subarray(0, BLOCK), Buffer.alloc(bytes)]);
    inner.write(text, BLOCK);
    return inner.subarray(0, BLOCK + bytes);
  }
}
