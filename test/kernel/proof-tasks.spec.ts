import { describe, expect, it } from '@jest/globals';
import type { RunProofTask, ProofResult } from '../../src/audit/proofs/proof-task.js';
import { ProofTasks, type ProofState } from '../../src/audit/proofs/proof-tasks.js';
import { budgets } from '../../src/kernel/budgets.js';
import { OperatorError } from '../../src/kernel/errors.js';
import { eventually } from '../support/eventually.js';
import { standIn } from '../support/stand-in.js';

const verification = { kind: 'verification', kept: null } as const;
const result = standIn<ProofResult>({ kind: 'verification' });
const noted = (): Promise<void> => Promise.resolve();

class Refused extends OperatorError {}

/** The state of the last task after it has ended. */
function endOf(tasks: ProofTasks): Promise<ProofState | null> {
  return eventually(
    () => Promise.resolve(tasks.current),
    (current) => current !== null && current.endedAt === 7,
  );
}

/** Works that end when the test ends them. */
function worksOf(timeout?: number): {
  readonly tasks: ProofTasks;
  readonly doing: { readonly end: () => void; readonly fail: (error: Error) => void }[];
  readonly following: Parameters<RunProofTask>[1][];
} {
  const doing: { end: () => void; fail: (error: Error) => void }[] = [];
  const following: Parameters<RunProofTask>[1][] = [];
  const perform: RunProofTask = (_work, followed) =>
    new Promise((resolve, reject) => {
      following.push(followed);
      doing.push({ end: () => resolve(result), fail: reject });
      followed.signal.addEventListener('abort', () => reject(new Error('ended')));
    });
  return { tasks: new ProofTasks(perform, { now: () => 7 }, timeout), doing, following };
}

describe('ProofTasks', () => {
  it('does one task at a time, tells how it goes, and remembers the last', async () => {
    const { tasks, doing, following } = worksOf();
    expect(tasks.current).toBeNull();
    for (let number = 0; number < budgets.proofTasks.max; number += 1)
      await tasks.begin(verification, 3, noted);
    await expect(tasks.begin(verification, 4, noted)).rejects.toMatchObject({ row: budgets.proofTasks.over });
    const progress = { position: 5, events: 4, head: 9 };
    following[0]!.onProgress(progress);
    expect(tasks.current).toMatchObject({ id: 1, state: 'running', startedBy: 3, progress, endedAt: null });
    doing[0]!.end();
    const ended = await endOf(tasks);
    expect(ended).toMatchObject({ state: 'done', result, reason: null });
    expect(await tasks.begin(verification, 4, noted)).toMatchObject({
      id: 2,
      state: 'running',
      result: null,
    });
    await tasks.cancel();
  });

  it('is not begun when it cannot be noted, and leaves the place free', async () => {
    const { tasks } = worksOf();
    await expect(tasks.begin(verification, 3, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(tasks.current).toBeNull();
    await tasks.begin(verification, 3, noted);
    await tasks.cancel();
    expect(tasks.current).toMatchObject({ state: 'cancelled', reason: null });
  });

  it('says in a sentence what could not be done, and nothing of what went wrong inside', async () => {
    const { tasks, doing } = worksOf();
    await tasks.begin(verification, 3, noted);
    doing[0]!.fail(new Refused('The file is not a proof bundle'));
    const refused = await endOf(tasks);
    expect(refused).toMatchObject({ state: 'failed', reason: 'The file is not a proof bundle.' });
    await tasks.begin(verification, 3, noted);
    doing[1]!.fail(new Error('a secret'));
    const failed = await endOf(tasks);
    expect(failed?.reason).not.toContain('secret');
  });

  it('ends what takes too long, and everything when it is closed', async () => {
    expect(budgets.proofSeconds.max).toBeGreaterThan(0);
    const { tasks } = worksOf(1);
    await tasks.begin(verification, 3, noted);
    const ended = await endOf(tasks);
    expect(ended).toMatchObject({ state: 'failed', reason: expect.stringContaining('took too long') });
    await tasks.close();
    await expect(tasks.begin(verification, 3, noted)).rejects.toMatchObject({ row: 'unavailable' });
  });
});
