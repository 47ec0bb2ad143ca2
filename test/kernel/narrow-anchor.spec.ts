import { describe, expect, it } from '@jest/globals';
import { parseAnchor } from '../../src/contexts/messages/narrow/anchor.js';
import { refusal } from '../support/given.js';

const newYear = Date.UTC(2020, 0, 1) / 1000;
const hour = 3600;

describe('the date of an anchor', () => {
  it.each([
    ['2020-01-01', newYear],
    ['20200101', newYear],
    ['2020-01-01T10', newYear + 10 * hour],
    ['2020-01-01 10:30', newYear + 10.5 * hour],
    ['20200101T1030', newYear + 10.5 * hour],
    ['20200101T100000Z', newYear + 10 * hour],
    ['2020-01-01t10:00:00z', newYear + 10 * hour],
    ['2020-01-01T10:00:00+05', newYear + 5 * hour],
    ['2020-01-01T10:00+05:30', newYear + 4.5 * hour],
    ['20200101T100000-0530', newYear + 15.5 * hour],
    ['2020-01-01T00:00:00.5', newYear + 1],
    ['2020-01-01T00:00:00,000', newYear],
  ])('may be %s', (date, timestamp) => {
    expect(parseAnchor('date', date)).toEqual({ type: 'date', timestamp });
  });

  it.each([
    '',
    'soon',
    '2020',
    '2020-0101',
    '202001-01',
    '2020-02-30',
    '20200230',
    '2020-01-01T',
    '2020-01-01T1',
    '2020-01-01T25',
    '2020-01-01T10:60',
    '2020-01-01T10:00:00.',
    '2020-01-01T10+5',
    '2020-01-01+05',
    '2020-01-01T10Z+05',
  ])('may not be %j', (date) => {
    expect(refusal(() => parseAnchor('date', date))).toBe('invalidAnchorDate');
  });
});
