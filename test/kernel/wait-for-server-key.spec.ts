import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitForServerKey, type ExpectedServerKey } from '../../src/node/wait-for-stores.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-key-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function projector(changes: Partial<ExpectedServerKey> = {}): ExpectedServerKey {
  return {
    nodeRoles: new Set(['projector']),
    serverKeyFile: join(folder, 'of-api', 'server.key'),
    dataDirectory: folder,
    storesTimeoutSeconds: 0,
    ...changes,
  };
}

describe('A projector that shares the key of another process', () => {
  it('starts when that process has created the key', async () => {
    const serverKeyFile = join(folder, 'api.key');
    const sentences: string[] = [];
    const report = (sentence: string): void => {
      sentences.push(sentence);
      writeFileSync(serverKeyFile, '');
    };
    await waitForServerKey(projector({ serverKeyFile, storesTimeoutSeconds: 60 }), report);
    expect(sentences).toEqual([
      `Waiting for the server key ${serverKeyFile}: it does not exist. The first start of a process with the role api creates it`,
    ]);
  });

  it('says after the timeout which file is missing', async () => {
    await expect(waitForServerKey(projector(), () => undefined)).rejects.toThrow(
      `the server key ${join(folder, 'of-api', 'server.key')}: it does not exist.`,
    );
  });

  it.each([
    [
      'answers requests: its configured key must exist',
      { nodeRoles: new Set(['api', 'projector'] as const) },
    ],
    ['creates its own key', { serverKeyFile: null }],
  ])('does not wait where it %s', async (_, changes) => {
    const serverKeyFile = 'serverKeyFile' in changes ? join(folder, 'server.key') : projector().serverKeyFile;
    await waitForServerKey(projector({ ...changes, serverKeyFile }), () => {
      throw new Error('It waited');
    });
  });
});
