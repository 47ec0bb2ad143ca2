import { expect, it } from '@jest/globals';
import { readMoment } from '../../src/audit/moment.js';

it('A moment is a position or a time, and not a day that does not exist', () => {
  expect(readMoment('17')).toEqual({ position: 17 });
  const time = Date.UTC(2028, 1, 29);
  for (const text of ['2028-02-29', '2028-02-29T00:00Z', '2028-02-29 02:00+02:00'])
    expect(readMoment(text)).toEqual({ time });
  for (const text of ['2026-02-29', '2026-02-30T10:00', '2026-13-01', '2026-04-31T10:00Z', 'yesterday'])
    expect(readMoment(text)).toBeNull();
});
