import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import {
  decryptContent,
  encryptContent,
  FileDecryptionError,
  encryptedRange,
} from '../../src/stores/file-store/encrypted-content.js';
import { requestedRange } from '../../src/http/file-reply.js';
import {
  contentTypeOf,
  placeIn,
  placesOf,
  safeFileName,
  storageNameOf,
  storageNamesIn,
} from '../../src/contexts/uploads/upload-path.js';

const key = randomBytes(32);
const chunk = 65_536;

async function encrypted(plain: Buffer, name = 'a/b'): Promise<Buffer> {
  return buffer(encryptContent([plain] as never, { key, name }));
}

async function decrypted(
  bytes: Buffer,
  { size, from, through, name = 'a/b' }: { size: number; from: number; through: number; name?: string },
): Promise<Buffer> {
  const range = { from, through };
  const { from: first, through: last } = encryptedRange(range, size);
  const part = [bytes.subarray(first, last + 1)] as never;
  return buffer(decryptContent(part, { key, name, size, range }));
}

describe('an encrypted file', () => {
  it('can be decrypted in any range, at any length', async () => {
    const lengths = fc.oneof(
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: -2, max: 2 }).map((more) => chunk + more),
      fc.integer({ min: -2, max: 2 }).map((more) => 2 * chunk + more),
    );
    const cases = lengths.chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1), fc.nat(size - 1)));
    await fc.assert(
      fc.asyncProperty(cases, async ([size, one, other]) => {
        const plain = randomBytes(size);
        const [from, through] = [Math.min(one, other), Math.max(one, other)];
        const read = await decrypted(await encrypted(plain), { size, from, through });
        expect(read.equals(plain.subarray(from, through + 1))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('does not open when a bit, the order of its parts, its end or its name was changed', async () => {
    const size = 3 * chunk;
    const bytes = await encrypted(randomBytes(size));
    const everything = { size, from: 0, through: size - 1 };
    const flipped = Buffer.from(bytes);
    flipped[70_000]! ^= 1;
    const part = chunk + 16;
    const swapped = Buffer.concat([
      bytes.subarray(part, 2 * part),
      bytes.subarray(0, part),
      bytes.subarray(2 * part),
    ]);
    await expect(decrypted(flipped, everything)).rejects.toThrow(FileDecryptionError);
    await expect(decrypted(swapped, everything)).rejects.toThrow(FileDecryptionError);
    await expect(decrypted(bytes.subarray(0, 2 * part), everything)).rejects.toThrow(FileDecryptionError);
    await expect(
      decrypted(bytes, { ...everything, size: 2 * chunk, through: 2 * chunk - 1 }),
    ).rejects.toThrow(FileDecryptionError);
    await expect(decrypted(bytes, { ...everything, name: 'a/c' })).rejects.toThrow(FileDecryptionError);
    expect(await decrypted(bytes, everything)).toHaveLength(size);
  });
});

describe('a requested range', () => {
  it.each([
    [undefined, null],
    ['bytes=0-0', { from: 0, through: 0 }],
    ['bytes=4-', { from: 4, through: 9 }],
    ['bytes=4-99', { from: 4, through: 9 }],
    ['bytes=-3', { from: 7, through: 9 }],
    ['bytes=-99', { from: 0, through: 9 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=5-4', null],
    ['bytes=-', null],
    ['bytes=0-1,3-4', null],
    ['lines=0-1', null],
  ])('%s of ten bytes is %j', (header, expected) => {
    expect(requestedRange(header, 10)).toEqual(expected);
  });
});

describe('the name of a file in its address', () => {
  it.each([
    ['note g.txt', 'note-g.txt'],
    ['../../etc/passwd', '....etcpasswd'],
    ['..', 'uploaded-file'],
    ['?', 'uploaded-file'],
    ['日本 語.png', '日本-語.png'],
    ['a<b>"c\u0000.svg', 'abc.svg'],
  ])('of %j is %j', (name, expected) => {
    expect(safeFileName(name)).toBe(expected);
  });

  it('follows the place of its bytes, which is found in texts again', () => {
    const place = storageNameOf('0123456789abcdef0123456789abcdef01234567');
    const address = `/user_uploads/${place}/a.txt`;
    const site = 'https://engines.example';
    const places = placesOf(place, site);
    expect(places).toContain(placeIn(address));
    expect(places).toContain(placeIn(`${site}${address}?download`));
    for (const other of [
      'https://example.com',
      'https://engines.example.com',
      `${site}/x`,
      'x',
      `${site}/?`,
    ]) {
      expect(places).not.toContain(placeIn(`${other}${address}`));
    }
    expect(placeIn('/user_uploads/1/x/a.txt')).toBeNull();
    expect(storageNamesIn(`[a](${address}) and [b](${address})`)).toEqual([place]);
    expect(storageNamesIn('/user_uploads/1/x')).toEqual([]);
  });
});

describe('the type of a file', () => {
  it.each([
    ['image/png', 'a.txt', 'image/png'],
    ['application/octet-stream', 'a.png', 'image/png'],
    ['text/plain', 'a.html', 'text/html'],
    ['text/plain', 'readme', 'text/plain'],
    ['', 'unknown', 'application/octet-stream'],
    ['text/html\r\nx: y', 'a', 'application/octet-stream'],
  ])('declared as %j and called %j is %s', (declared, name, expected) => {
    expect(contentTypeOf(declared, name)).toBe(expected);
  });
});
