import { availableParallelism } from 'node:os';

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
  // Ends a test that hangs, and measures none: beside others on two cores, a test that starts ten commands takes more
  // than a minute.
  testTimeout: 300_000,
};
