import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { PasswordStrength, type StrengthQuestion } from '../../src/contexts/users/password-policy.js';
import { budgets } from '../../src/kernel/budgets.js';
import { standIn } from '../support/stand-in.js';

const unavailable = { reason: { row: 'unavailable' } };
const asked = (password: string): Omit<StrengthQuestion, 'id'> => ({ password, related: [], enough: 1 });

/** A thread that answers when the test says so. */
class StandInThread extends EventEmitter {
  readonly questions: StrengthQuestion[] = [];
  isTerminated = false;

  postMessage(question: StrengthQuestion): void {
    this.questions.push(question);
  }

  terminate(): Promise<number> {
    this.isTerminated = true;
    return Promise.resolve(0);
  }

  unref(): void {
    // The test holds no process open.
  }

  /** Answers the newest question. */
  async answer(): Promise<void> {
    this.emit('message', { id: this.questions.at(-1)!.id, guesses: 1 });
    await settled();
  }

  get passwords(): readonly string[] {
    return this.questions.map(({ password }) => password);
  }
}

/** Everything that follows without I/O has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function strengthWith(threads: StandInThread[]): PasswordStrength {
  return new PasswordStrength(() => {
    threads.push(new StandInThread());
    return standIn<Worker>(threads.at(-1)!);
  });
}

describe('the strength of passwords', () => {
  it('is estimated one by one, in turns of those who ask', async () => {
    const threads: StandInThread[] = [];
    const strength = strengthWith(threads);
    const flood = ['a1', 'a2', 'a3', 'a4'].map((password) => strength.guesses(asked(password), 'account 1'));
    const others = ['b', 'c'].map((password) => strength.guesses(asked(password), `account ${password}`));
    await settled();
    expect(threads[0]?.passwords).toEqual(['a1']);
    for (let count = 0; count < 3; count += 1) await threads[0]?.answer();
    expect(await Promise.all(others)).toEqual([1, 1]);
    expect(threads[0]?.passwords).toEqual(['a1', 'b', 'c', 'a2']);
    for (let count = 0; count < 3; count += 1) await threads[0]?.answer();
    expect(await Promise.all(flood)).toEqual([1, 1, 1, 1]);
    strength.close();
  });

  it('is refused to somebody for whom too many wait, and to nobody else', async () => {
    const threads: StandInThread[] = [];
    const strength = strengthWith(threads);
    // One is estimated at once.
    const count = budgets.newPasswordsOfRequester.max + 2;
    const flood = Array.from({ length: count }, (_, number) => strength.guesses(asked(`${number}`), 'one'));
    const outcomes = Promise.allSettled(flood);
    await expect(flood.at(-1)).rejects.toMatchObject({ row: 'unavailable' });
    const other = strength.guesses(asked('other'), 'other');
    await settled();
    await threads[0]?.answer();
    await threads[0]?.answer();
    expect(await other).toBe(1);
    strength.close();
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    expect(refused.length).toBe(count - 1);
  });

  it('is still estimated for others when the thread fails', async () => {
    const threads: StandInThread[] = [];
    const strength = strengthWith(threads);
    const failing = Promise.allSettled([strength.guesses(asked('a'), 'account 1')]);
    const other = strength.guesses(asked('b'), 'account 2');
    await settled();
    threads[0]?.emit('error', new Error('out of memory'));
    expect(await failing).toMatchObject([unavailable]);
    await settled();
    expect(threads.map(({ passwords }) => passwords)).toEqual([['a'], ['b']]);
    await threads[1]?.answer();
    expect(await other).toBe(1);
    strength.close();
    expect(threads.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
  });

  it('is not estimated any more after the end', async () => {
    const threads: StandInThread[] = [];
    const strength = strengthWith(threads);
    const pending = Promise.allSettled([
      strength.guesses(asked('a'), 'account 1'),
      strength.guesses(asked('b'), 'account 2'),
    ]);
    await settled();
    strength.close();
    expect(await pending).toMatchObject([unavailable, unavailable]);
    expect(threads).toHaveLength(1);
  });
});
