import config from './jest.config.js';

/**
 * The suites that run on EventStoreDB's stand-in and MongoDB each time: every adapter's contract, crashes, several
 * processes, and what meets the stores in a way of its own. `npm run test:servers:all` runs the others on them, too.
 */
const endToEnd = [
  'audit-http',
  'audit-log',
  'audit-transfer',
  'channels',
  'erasure',
  'event-delivery',
  'event-queues',
  'flags',
  'messages',
  'moving',
  'newest-pages',
  'people',
  'presence',
  'projections',
  'reader-threads',
  'reading',
  'retention',
  'rotate-server-key',
  'scheduled-messages',
  'search',
  'snapshots',
  'start',
  'start-refusals',
  'uploads',
];

/** @type {import('jest').Config} */
export default {
  ...config,
  testRegex: [
    String.raw`test/contract/.*\.spec\.ts$`,
    String.raw`test/crash/(kill|several-processes)\.spec\.ts$`,
    String.raw`test/e2e/(${endToEnd.join('|')})\.spec\.ts$`,
  ],
  // A server on servers is three processes.
  maxWorkers: 3,
  testTimeout: 150_000,
};
