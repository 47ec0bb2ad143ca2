import { expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { hashPassword, verifyPassword } from '../../src/contexts/users/password-hashing.js';

it('Passwords are verified one after another, and a maximum number of them may wait', async () => {
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

it('Requesters are served alternately, and each may have a maximum number of waiting passwords', async () => {
  const hashed = await hashPassword('a password of Ada');
  const max = budgets.waitingPasswordsOfRequester.max;
  const done: string[] = [];
  const verify = async (requester: string): Promise<boolean> => {
    const isRight = await verifyPassword(hashed, 'a password of Ada', requester);
    done.push(requester);
    return isRight;
  };
  const flood = Array.from({ length: max + 10 }, () => verify('10.0.0.1'));
  const others = await Promise.all(['10.0.0.2', '10.0.0.3', '10.0.0.4'].map(verify));
  expect(others).toEqual([true, true, true]);
  expect(done.filter((requester) => requester === '10.0.0.1').length).toBeLessThanOrEqual(6);
  const refused = (await Promise.allSettled(flood)).filter(({ status }) => status === 'rejected');
  // One is hashed at once.
  expect(refused).toHaveLength(9);
  expect(refused).toMatchObject(refused.map(() => ({ reason: { row: 'unavailable' } })));
  expect(await verify('10.0.0.1')).toBe(true);
});
