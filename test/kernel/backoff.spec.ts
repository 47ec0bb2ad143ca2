import { expect, it } from '@jest/globals';
import { Backoff } from '../../src/stores/event-store/eventstoredb/failures.js';

it('Pauses between attempts grow, and stay short enough for people who wait', () => {
  const backoff = new Backoff();
  expect(Array.from({ length: 6 }, () => backoff.next())).toEqual([25, 50, 100, 200, 250, 250]);
  backoff.reset();
  expect(backoff.next()).toBe(25);
});
