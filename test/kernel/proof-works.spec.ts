import { describe, expect, it } from '@jest/globals';
import type { DoProofWork, ProofResult } from '../../src/audit/proofs/proof-work.js';
import { ProofWorks, type ProofState } from '../../src/audit/proofs/proof-works.js';
import { budgets } from '../../src/kernel/budgets.js';
import { OperatorError } from '../../src/kernel/errors.js';
import { eventually } from '../support/eventually.js';
import { standIn } from '../support/stand-in.js';

const verification = { kind: 'verification', kept: null } as const;
const result = standIn<ProofResult>({ kind: 'verification' });
const noted = (): Promise<void> => Promise.resolve();

class Refused extends OperatorError {}

/** The state of the last work after it has ended. */
function endOf(works: ProofWorks): Promise<ProofState | null> {
  return eventually(
    () => Promise.resolve(works.current),
    (current) => current !== null && current.endedAt === 7,
  );
}

/** Works that end when the test ends them. */
function worksOf(timeout?: number): {
  readonly works: ProofWorks;
  readonly doing: { readonly end: () => void; readonly fail: (error: Error) => void }[];
  readonly following: Parameters<DoProofWork>[1][];
} {
  const doing: { end: () => void; fail: (error: Error) => void }[] = [];
  const following: Parameters<DoProofWork>[1][] = [];
  const perform: DoProofWork = (_work, followed) =>
    new Promise((resolve, reject) => {
      following.push(followed);
      doing.push({ end: () => resolve(result), fail: reject });
      followed.signal.addEventListener('abort', () => reject(new Error('ended')));
    });
  return { works: new ProofWorks(perform, { now: () => 7 }, timeout), doing, following };
}

describe('ProofWorks', () => {
  it('does one work at a time, tells how it goes, and remembers the last', async () => {
    const { works, doing, following } = worksOf();
    expect(works.current).toBeNull();
    for (let number = 0; number < budgets.proofWorks.max; number += 1)
      await works.begin(verification, 3, noted);
    await expect(works.begin(verification, 4, noted)).rejects.toMatchObject({ row: budgets.proofWorks.over });
    const progress = { position: 5, events: 4, head: 9 };
    following[0]!.onProgress(progress);
    expect(works.current).toMatchObject({ id: 1, state: 'running', startedBy: 3, progress, endedAt: null });
    doing[0]!.end();
    const ended = await endOf(works);
    expect(ended).toMatchObject({ state: 'done', result, reason: null });
    expect(await works.begin(verification, 4, noted)).toMatchObject({
      id: 2,
      state: 'running',
      result: null,
    });
    await works.cancel();
  });

  it('is not begun when it cannot be noted, and leaves the place free', async () => {
    const { works } = worksOf();
    await expect(works.begin(verification, 3, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(works.current).toBeNull();
    await works.begin(verification, 3, noted);
    await works.cancel();
    expect(works.current).toMatchObject({ state: 'cancelled', reason: null });
  });

  it('says in a sentence what could not be done, and nothing of what went wrong inside', async () => {
    const { works, doing } = worksOf();
    await works.begin(verification, 3, noted);
    doing[0]!.fail(new Refused('The file is not a proof bundle'));
    const refused = await endOf(works);
    expect(refused).toMatchObject({ state: 'failed', reason: 'The file is not a proof bundle.' });
    await works.begin(verification, 3, noted);
    doing[1]!.fail(new Error('a secret'));
    const failed = await endOf(works);
    expect(failed?.reason).not.toContain('secret');
  });

  it('ends what takes too long, and everything when it is closed', async () => {
    expect(budgets.proofSeconds.max).toBeGreaterThan(0);
    const { works } = worksOf(1);
    await works.begin(verification, 3, noted);
    const ended = await endOf(works);
    expect(ended).toMatchObject({ state: 'failed', reason: expect.stringContaining('took too long') });
    await works.close();
    await expect(works.begin(verification, 3, noted)).rejects.toMatchObject({ row: 'unavailable' });
  });
});
