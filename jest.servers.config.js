import config from './jest.config.js';

/**
 * The suites that run on EventStoreDB's stand-in and MongoDB each time: the contracts of MongoDB's adapters (those of
 * EventStoreDB's need no server), crashes, several processes, and what meets the stores in a way of its own.
 * `npm run test:servers:all` runs the others on them, too.
 */
const contracts = [
  'credential-store',
  'key-store',
  'mongodb-cut-off',
  'mongodb-hung-read-store',
  'mongodb-leases',
  'mongodb-plans',
  'mongodb-replica-set',
  'read-store',
  'read-store-batches',
  'read-store-comparison',
  'read-store-counting',
  'read-store-models',
  'read-store-queries',
  'signal-store',
  'store-servers',
];

const endToEnd = [
  'audit-http',
  'audit-transfer',
  'channels',
  'erasure',
  'event-delivery',
  'event-queues',
  'flags',
  'idle-server',
  'messages',
  'models-elsewhere',
  'moving',
  'moving-stores',
  'newest-pages',
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
    String.raw`test/contract/(${contracts.join('|')})\.spec\.ts$`,
    String.raw`test/projection/engine-mongodb\.spec\.ts$`,
    String.raw`test/crash/(hung-mongodb|kill|several-processes)\.spec\.ts$`,
    String.raw`test/e2e/(${endToEnd.join('|')})\.spec\.ts$`,
  ],
  // A server on servers is three processes, each of which takes a core while it works.
  maxWorkers: 2,
};
