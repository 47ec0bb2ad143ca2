import { expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { hashPassword, verifyPassword } from '../../src/contexts/users/password-hashing.js';

it('Passwords wait for their turn, and only so many of them', async () => {
  const hashed = await hashPassword('a password of Ada');
  const max = budgets.waitingPasswords.max;
  const running = 2;
  const attempts = Array.from({ length: max + 10 }, () => verifyPassword(hashed, 'a password of Ada'));
  const outcomes = await Promise.allSettled(attempts);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value)).toHaveLength(
    outcomes.length - refused.length,
  );
  expect(refused.length).toBeGreaterThanOrEqual(10 - running);
  expect(refused.length).toBeLessThanOrEqual(10);
  expect(refused).toMatchObject(refused.map(() => ({ reason: { row: 'unavailable' } })));
  expect(await verifyPassword(hashed, 'a password of Ada')).toBe(true);
});
