import { availableParallelism } from 'node:os';
import { env } from 'node:process';

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/projections', '<rootDir>/test'],
  testRegex: String.raw`\.spec\.ts$`,
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  // Most tests wait for processes and disks rather than for a core.
  maxWorkers: 2 * availableParallelism(),
  // A server starts in two seconds alone, and in a minute beside others on servers.
  testTimeout: env['E2E_STORES'] === 'servers' ? 150_000 : 60_000,
};
