import { writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { operationErrors } from '../../src/http/server/operation-errors.js';
import { errorTable } from '../../src/kernel/errors.js';
import { ErrorFinder } from '../support/operation-errors.js';
import { writeOperationErrors } from './support/write-operation-errors.js';

const FILE = 'src/http/server/data/operation-errors.json';

/** The compiler reads the whole source. */
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

/** What no endpoint answers, in the order of the alphabet. */
const elsewhere: readonly string[] = [
  // Why a task failed, which is asked for with success.
  'caseBundleTooLarge',
  // Of bytes that are no request.
  'malformedRequest',
  // Of `/metrics`, which is no operation of the API.
  'metricsForbidden',
  // Of `palimpsest audit as`.
  'notInLog',
  // Why a copy of one's own data failed, which is asked for with success.
  'ownDataTooLarge',
];
