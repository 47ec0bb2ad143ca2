import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import Database from 'libsql';
import { CommandLine } from '../support/command-line.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let folder: string;
let tool: CommandLine;
let message: number;
let position: number;

const inFolder = (name: string): string => join(folder, name);

/** The folder of a stopped server, of which one byte of a message's metadata was changed. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-damaged-log-'));
  const server = await TestServer.start({ directory: inFolder('data'), stores: ServerStores.embedded() });
  const owner = await server.owner();
  const subscriptions = JSON.stringify([{ name: 'engines' }]);
  await owner.must('post', 'users/me/subscriptions', { subscriptions });
  message = await owner.sendToChannel('engines', 'notes', 'To be damaged.');
  await owner.sendToChannel('engines', 'notes', 'Whole.');
  await server.stop();
  position = damageMessage(inFolder('data'));
  tool = new CommandLine({ DATA_DIR: inFolder('data') });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Changes one byte of the client's name at the first message that somebody sent. */
function damageMessage(directory: string): number {
  const events = new Database(join(directory, 'events.sqlite'));
  const [found] = events
    .prepare(
      `UPDATE events SET metadata = replace(metadata, 'PalimpsestTests', 'PalimpsestTestz')
       WHERE position = (SELECT min(position) FROM events WHERE type = 'MessageSent' AND metadata LIKE '%PalimpsestTests%')
       RETURNING position`,
    )
    .raw()
    .get() as [number];
  events.close();
  return found;
}

describe('an event that is damaged in a stopped server', () => {
  it('is in the verdict of a drill, with the read models that stop at it', async () => {
    await tool.must('backup', inFolder('backups'));
    const { code, stdout, stderr } = await tool.run('backup', 'drill', inFolder('backups'));
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.not.stringContaining('    at ') });
    expect(stdout).toMatch(new RegExp(`^HASH +position ${position}, `, 'm'));
    expect(stdout).toMatch(
      new RegExp(`^messages cannot be built: MessageSent at position ${position}: .+$`, 'm'),
    );
    expect(stdout).toMatch(/restores, but its log is amiss: \d+ read models were built up to event \d+\.\n$/);
    const inJson = await tool.run('backup', 'drill', inFolder('backups'), '--json');
    const outcome = JSON.parse(inJson.stdout.trim().split('\n').at(-1)!) as Record<string, unknown>;
    expect({ code: inJson.code, outcome }).toEqual({
      code: 3,
      outcome: expect.objectContaining({
        good: false,
        unbuilt: expect.arrayContaining([
          expect.objectContaining({ projection: 'messages', event: expect.objectContaining({ position }) }),
        ]),
      }),
    });
  });

  it('is named by the verification of a read model that has passed it', async () => {
    const { code, stdout, stderr } = await tool.run('projections', 'verify', 'messages');
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.not.stringContaining('    at ') });
    expect(stdout).toMatch(
      new RegExp(`^messages: CANNOT be rebuilt: MessageSent at position ${position}: .+\n$`),
    );
    const inJson = await tool.run('projections', 'verify', 'messages', '--json');
    expect(JSON.parse(inJson.stdout)).toMatchObject({ projection: 'messages', event: { position } });
  });

  it('is named by an export, which no import takes', async () => {
    const { code, stderr } = await tool.run('audit', 'export', inFolder('damaged.ndjson'), '--keys');
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^messages@\d+ is damaged: no import takes it\.$/m),
    });
  });

  it('is not proven, and everything else is', async () => {
    const bundle = inFolder('bundle.json');
    const { code, stderr } = await tool.run('audit', 'seal', '--prove', String(message), '--out', bundle);
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        new RegExp(
          `^The event at position ${position}, .+ is not as it was written, so it cannot be proven`,
          'm',
        ),
      ),
    });
    expect(existsSync(bundle)).toBe(false);
    await tool.must('audit', 'seal', '--prove', String(message + 1), '--out', bundle);
    expect((await tool.run('audit', 'check', bundle)).stdout).not.toContain('FAULT');
  });
});
