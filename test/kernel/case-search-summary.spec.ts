import { expect, it } from '@jest/globals';
import { searchSummary } from '../../src/cli/audit/case.js';

const looked = 7;

it.each([
  [{ beyond: null, unreadable_events: 0 }, []],
  [
    { beyond: 41, unreadable_events: 2 },
    ['The words may also be in 2 events that cannot be read.', 'There may be more: go on with --after 41.'],
  ],
  [{ beyond: null, unreadable_events: 1 }, ['The words may also be in 1 event that cannot be read.']],
])('The search of a case tells what it may have missed: %j', (missed, sentences) => {
  expect(searchSummary({ hits: [], looked, ...missed })).toEqual([
    '0 of 7 messages that were looked through.',
    ...sentences,
  ]);
});
