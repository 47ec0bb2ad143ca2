import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadServerKey, ServerKeyError, type ServerKey } from '../../src/stores/key-store/server-key.js';

const folder = mkdtempSync(join(tmpdir(), 'server-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(folder, 'data-'));
  file = join(directory, 'server.key');
});

function bytesOf({ wrapping, lookup, credentials }: ServerKey): string[] {
  return [wrapping, lookup, credentials].map((key) => key.export().toString('hex'));
}

describe('the server key', () => {
  it('is made on the first start, for its owner alone, and stays', async () => {
    const made = await loadServerKey({ directory });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
    expect(bytesOf(await loadServerKey({ directory }))).toEqual(bytesOf(made));
    expect(bytesOf(await loadServerKey({ file }))).toEqual(bytesOf(made));
  });

  it('is one, however many start at once, and leaves no drafts', async () => {
    const late = async (turns: number): Promise<ServerKey> => {
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      return loadServerKey({ directory });
    };
    for (let round = 0; round < 5; round++) {
      rmSync(file, { force: true });
      const keys = await Promise.all(Array.from({ length: 20 }, (_, turns) => late(turns)));
      expect(new Set(keys.map((key) => bytesOf(key).join())).size).toBe(1);
      expect(readdirSync(directory)).toEqual(['server.key']);
    }
  });

  it('gives each use a key of its own, none of them the secret itself', async () => {
    const keys = bytesOf(await loadServerKey({ directory }));
    const secret = Buffer.from(readFileSync(file, 'utf8'), 'base64').toString('hex');
    expect(new Set([...keys, secret]).size).toBe(4);
  });

  it('shows itself to no JSON and no error', async () => {
    const key = await loadServerKey({ directory });
    expect(Object.values(JSON.parse(JSON.stringify(key)) as object)).toEqual([{}, {}, {}, {}, {}, {}]);
    const secret = readFileSync(file, 'utf8').trim();
    chmodSync(file, 0o644);
    await expect(loadServerKey({ directory })).rejects.not.toThrow(secret);
  });

  it('is refused when group or others can read it', async () => {
    await loadServerKey({ directory });
    for (const mode of [0o640, 0o604]) {
      chmodSync(file, mode);
      await expect(loadServerKey({ directory })).rejects.toThrow(
        /server\.key is open to group or others.*chmod 600/,
      );
    }
  });

  it('is refused when it is malformed', async () => {
    for (const text of [
      '',
      'short',
      Buffer.alloc(31).toString('base64'),
      'a'.repeat(64),
      `${'A'.repeat(43)}=garbage`,
    ]) {
      writeFileSync(file, text, { mode: 0o600 });
      await expect(loadServerKey({ directory })).rejects.toThrow(
        /malformed: it must hold 32 bytes in base64/,
      );
    }
  });

  it('is never made where the operator named a file', async () => {
    await expect(loadServerKey({ file })).rejects.toThrow(ServerKeyError);
    expect(readdirSync(directory)).toEqual([]);
  });
});
