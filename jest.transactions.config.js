import config from './jest.config.js';

/**
 * The suites that meet MongoDB's transactions: they run once more behind the stand-in for a replica set.
 *
 * @type {import('jest').Config}
 */
export default {
  ...config,
  testRegex: [
    String.raw`test/contract/read-store(-batches|-models|-queries)?\.spec\.ts$`,
    String.raw`test/projection/engine-mongodb\.spec\.ts$`,
  ],
  maxWorkers: 2,
};
