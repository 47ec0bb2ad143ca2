import { describe, expect, it } from '@jest/globals';
import type { ServerFacts } from '../../src/operations/overview/server-facts.js';
import { verdictOn } from '../../src/operations/overview/verdict.js';

const gibibyte = 2 ** 30;
const now = 1_790_000_000_000;

const well: ServerFacts = {
  now,
  projections: [{ projection: 'messages', state: 'live', lagSeconds: 0.1, building: null }],
  reactors: [{ reactor: 'send-mails', state: 'acting', stoppedSeconds: 0, lagEvents: 3 }],
  disk: { freeBytes: 80 * gibibyte, totalBytes: 100 * gibibyte },
  unsealedSince: now - 2_000,
  sealSeconds: 60,
  lastBackupAt: now - 3_600_000,
  requestDelay: 0.01,
  mails: { count: 2, since: now - 600_000 },
  notifications: { count: 1, since: now - 1_000 },
  mailsFailed: 0,
  notificationsFailed: 0,
};

interface Case {
  readonly what: string;
  readonly wrong: Partial<ServerFacts>;
  readonly level: string;
  readonly sentence: string;
}

describe('The verdict on a server', () => {
  it('is that all is well where nothing is wrong', () => {
    expect(verdictOn(well)).toEqual({ level: 'well', sentence: 'All is well.', findings: [] });
  });

  it.each<Case>([
    {
      what: 'a halted model',
      wrong: { projections: [{ projection: 'messages', state: 'halted', lagSeconds: 9, building: null }] },
      level: 'act',
      sentence: 'The read model messages is halted at an event that it cannot apply.',
    },
    {
      what: 'a model that is behind',
      wrong: { projections: [{ projection: 'messages', state: 'live', lagSeconds: 12, building: null }] },
      level: 'act',
      sentence: 'The read model messages is 12 s behind the log.',
    },
    {
      what: 'a reactor that stands',
      wrong: { reactors: [{ reactor: 'send-mails', state: 'halted', stoppedSeconds: 5, lagEvents: 7 }] },
      level: 'act',
      sentence: 'The reactor send-mails is halted at an event that it cannot act on.',
    },
    {
      what: 'a disk that is nearly full',
      wrong: { disk: { freeBytes: gibibyte, totalBytes: 100 * gibibyte } },
      level: 'act',
      sentence: 'The disk of DATA_DIR has 1024 MiB left.',
    },
    {
      what: 'a seal that is overdue',
      wrong: { unsealedSince: now - 800_000 },
      level: 'act',
      sentence: 'What was written last is not sealed, though it is due.',
    },
    {
      what: 'an old backup',
      wrong: { lastBackupAt: now - 10 * 86_400_000 },
      level: 'watch',
      sentence: 'The last backup is 10 days old.',
    },
    {
      what: 'e-mails that were given up',
      wrong: { mailsFailed: 2 },
      level: 'watch',
      sentence: '2 e-mails were given up in the last hour.',
    },
    {
      what: 'notifications that were dropped',
      wrong: { notificationsFailed: 2 },
      level: 'watch',
      sentence: '2 notifications were dropped in the last hour.',
    },
    {
      what: 'a reactor that acts, but far behind the log',
      wrong: { reactors: [{ reactor: 'send-mails', state: 'acting', stoppedSeconds: 0, lagEvents: 1_000 }] },
      level: 'watch',
      sentence: 'The reactor send-mails is 1000 or more events behind.',
    },
    {
      what: 'a mail server that takes nothing',
      wrong: { mails: { count: 500, since: now - 2 * 3_600_000 } },
      level: 'watch',
      sentence: '500 or more e-mails wait to be sent, the first for 120 minutes.',
    },
    {
      what: 'a push relay that takes nothing',
      wrong: { notifications: { count: 1, since: now - 360_000 } },
      level: 'watch',
      sentence: '1 notification waits to be sent, the first for 6 minutes.',
    },
    {
      what: 'a disk that fills',
      wrong: { disk: { freeBytes: 5 * gibibyte, totalBytes: 100 * gibibyte } },
      level: 'watch',
      sentence: 'The disk of DATA_DIR has 5120 MiB left.',
    },
    {
      what: 'a model that is paused',
      wrong: { projections: [{ projection: 'messages', state: 'paused', lagSeconds: 90, building: null }] },
      level: 'watch',
      sentence: 'The read model messages is paused.',
    },
    {
      what: 'a model of which requests read another version',
      wrong: { projections: [{ projection: 'messages', state: 'unseen', lagSeconds: 4, building: null }] },
      level: 'act',
      sentence: 'Requests do not find what is written to the read model messages.',
    },
    {
      what: 'a reactor that waits for a store',
      wrong: {
        reactors: [{ reactor: 'send-mails', state: 'unavailable', stoppedSeconds: 31, lagEvents: 7 }],
      },
      level: 'act',
      sentence: 'The reactor send-mails waits for a store or a read model.',
    },
    {
      what: 'requests that wait for their thread',
      wrong: { requestDelay: 0.4 },
      level: 'watch',
      sentence: 'Requests wait up to 400 ms for their thread.',
    },
  ])('names $what, and what to do', ({ wrong, level, sentence }) => {
    const verdict = verdictOn({ ...well, ...wrong });
    expect(verdict).toMatchObject({ level, sentence, findings: [{ level, what: sentence }] });
    expect(verdict.findings[0]!.todo).not.toBe('');
  });

  it.each<Pick<Case, 'what' | 'wrong'>>([
    {
      what: 'a model that is behind because it is being built',
      wrong: {
        projections: [
          {
            projection: 'messages',
            state: 'live',
            lagSeconds: 12,
            building: {} as NonNullable<ServerFacts['projections'][number]['building']>,
          },
        ],
      },
    },
    {
      what: 'a reactor that has waited for a store only for a moment',
      wrong: {
        reactors: [{ reactor: 'send-mails', state: 'unavailable', stoppedSeconds: 29, lagEvents: 7 }],
      },
    },
    { what: 'a seal that is not due yet', wrong: { unsealedSince: now - 170_000 } },
    { what: 'a backup that nobody knows of', wrong: { lastBackupAt: null } },
  ])('does not complain of $what', ({ wrong }) => {
    expect(verdictOn({ ...well, ...wrong }).findings).toEqual([]);
  });

  it('begins with what somebody has to do now, and says how much more there is', () => {
    const { level, sentence, findings } = verdictOn({
      ...well,
      mailsFailed: 1,
      projections: [{ projection: 'messages', state: 'halted', lagSeconds: 9, building: null }],
    });
    expect(level).toBe('act');
    expect(sentence).toBe(
      'The read model messages is halted at an event that it cannot apply. 1 more below.',
    );
    expect(findings.map((problem) => problem.level)).toEqual(['act', 'watch']);
  });
});
