import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { silentLogger, type Logger } from '../../projections/engine/logger.js';
import type { Configuration } from '../../src/config.js';
import { isBackupDue, ScheduledBackups } from '../../src/operations/backup/scheduled-backups.js';

const HOUR = 3_600_000;

it.each([
  { when: 'there is none', sinceLast: Infinity, isDue: true },
  { when: 'the last one is old enough', sinceLast: HOUR, isDue: true },
  { when: 'the last one is younger', sinceLast: HOUR - 1, isDue: false },
  { when: 'the last one is from the future', sinceLast: -HOUR, isDue: true },
  { when: 'one failed just now', sinceFailure: 1000, isDue: false },
  { when: 'one failed a while ago', sinceFailure: HOUR / 4, isDue: true },
  { when: 'one failed in the future', sinceFailure: -HOUR, isDue: true },
])('a backup is due or not, when $when', ({ sinceLast = Infinity, sinceFailure = Infinity, isDue }) => {
  expect(isBackupDue({ everyMilliseconds: HOUR, sinceLast, sinceFailure })).toBe(isDue);
});

it('the age of a backup from the future is zero', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'palimpsest-age-'));
  const note = { id: 'a', madeAt: '2026-01-02T00:00:00.000Z', place: 'there', position: 1, bytes: 1 };
  await writeFile(join(dataDirectory, 'last-backup.json'), JSON.stringify(note));
  const configuration = { dataDirectory, backup: { everySeconds: 3600 } } as Configuration;
  const registry = new Registry();
  new ScheduledBackups(configuration, silentLogger, () => Date.UTC(2026, 0, 1)).watch(registry);
  expect(await registry.metrics()).toMatch(/^palimpsest_backup_age_seconds 0$/m);
  await rm(dataDirectory, { recursive: true });
});

it('a backup that is due while another one is made is told of once, and fails when that lasts for the interval', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'palimpsest-skips-'));
  const configuration = { dataDirectory, backup: { everySeconds: 3600 } } as Configuration;
  const told: string[] = [];
  const logger: Logger = {
    ...silentLogger,
    warn: (_fields: unknown, text?: string) => void told.push(`warn: ${text ?? ''}`),
    error: (_fields: unknown, text?: string) => void told.push(`error: ${text ?? ''}`),
  };
  let now = 0;
  const backups = new (class extends ScheduledBackups {
    /** Another one is being made. */
    protected override make(): Promise<null> {
      return Promise.resolve(null);
    }
  })(configuration, logger, () => now);
  const registry = new Registry();
  backups.watch(registry);
  const failures = async (): Promise<string | undefined> =>
    /^palimpsest_backup_failures_total (\d+)$/m.exec(await registry.metrics())?.[1];
  for (; now < HOUR; now += 30_000) await backups.perform();
  expect([told, await failures()]).toEqual([['warn: A backup is due, but another one is being made'], '0']);
  for (; now < 2 * HOUR; now += 30_000) await backups.perform();
  expect([told.slice(1), await failures()]).toEqual([['error: A backup could not be made'], '1']);
  await rm(dataDirectory, { recursive: true });
});
