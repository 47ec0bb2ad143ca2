import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { operationSummaries } from '../support/operation-summaries.js';

const FILE = 'src/http/server/data/operation-summaries.json';

it('The document summarizes each operation in the words of the comment above its method', () => {
  const found = operationSummaries();
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(FILE, `${JSON.stringify(found, null, 2)}\n`);
  expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(found);
});
