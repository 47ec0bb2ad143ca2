import { writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { operationErrors } from '../../src/http/server/errors-in-document.js';
import { errorTable } from '../../src/kernel/errors.js';
import { ErrorFinder } from '../support/operation-errors.js';
import { writeOperationErrors } from './support/write-operation-errors.js';

const FILE = 'src/http/server/data/operation-errors.json';

/** The timeout in milliseconds: the TypeScript compiler reads the whole source. */
const MILLISECONDS = 600_000;

it(
  'The document lists of each operation the errors that its source can come to',
  () => {
    const found = new ErrorFinder('tsconfig.build.json').find();
    if (process.env['UPDATE_GOLDEN'] === '1') {
      writeFileSync(FILE, writeOperationErrors(found));
      return;
    }
    expect(operationErrors).toEqual(found);
  },
  MILLISECONDS,
);

it('Every error can come of an operation, or of something else that is no operation', () => {
  const { everywhere, authenticated, operations } = operationErrors;
  const listed = new Set([...everywhere, ...authenticated, ...Object.values(operations).flat()]);
  const others = Object.keys(errorTable).filter((name) => !listed.has(name as keyof typeof errorTable));
  expect(others.sort()).toEqual(elsewhere);
});

/** Errors that no endpoint answers, in alphabetical order. */
const elsewhere: readonly string[] = [
  // The reason of a failed task; the request for the reason succeeds.
  'caseBundleTooLarge',
  // For bytes that are not a valid HTTP request.
  'malformedRequest',
  // For `/metrics`, which is not part of the API.
  'metricsForbidden',
  // For `palimpsest audit as`.
  'notInLog',
  // The reason of a failed copy of one's own data; the request for the reason succeeds.
  'ownDataTooLarge',
];
