import { describe, expect, it } from '@jest/globals';
import { ViewReconstructions, type MessageViews } from '../../src/audit/past/view-reconstructions.js';
import { ClientGoneError } from '../../src/http/client-gone.js';
import { budgets } from '../../src/kernel/budgets.js';

const input = { messageId: 1, userId: 7 };
const nothing = (): Promise<void> => Promise.resolve();
const seen: MessageViews = { life: { messageId: 1, senderId: 7, steps: [] }, views: [] };

/** Looks that end when the test ends them, and the messages that they received. */
function looksOf(timeout?: number): {
  readonly looks: ViewReconstructions;
  readonly begun: AbortSignal[];
  readonly endings: (() => void)[];
} {
  const begun: AbortSignal[] = [];
  const endings: (() => void)[] = [];
  const looks = new ViewReconstructions((_input, signal) => {
    begun.push(signal);
    return new Promise((resolve) => endings.push(() => resolve(seen)));
  }, timeout);
  return { looks, begun, endings };
}

describe('ViewReconstructions', () => {
  it('lets a person look once at a time, and says when to come back', async () => {
    const { looks, endings } = looksOf();
    const first = Array.from({ length: budgets.pastViewsOfAccount.max }, () =>
      looks.run({ userId: 1, gone: null }, input, nothing),
    );
    const second = await looks
      .run({ userId: 1, gone: null }, input, nothing)
      .catch((error: unknown) => error as { readonly fields: Readonly<Record<string, number>> });
    expect(second).toMatchObject({ row: budgets.pastViewsOfAccount.over, status: 429 });
    const { 'retry-after': seconds } = (second as { fields: Record<string, number> }).fields;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(budgets.pastViewSeconds.max);
    endings.forEach((end) => end());
    expect(await Promise.all(first)).toEqual([seen]);
    const again = looks.run({ userId: 1, gone: null }, input, nothing);
    await Promise.resolve();
    endings.at(-1)!();
    expect(await again).toEqual(seen);
  });

  it('lets few people look at once', async () => {
    const { looks, endings } = looksOf();
    const looking = Array.from({ length: budgets.pastViews.max }, (_none, index) =>
      looks.run({ userId: index, gone: null }, input, nothing),
    );
    await expect(looks.run({ userId: 99, gone: null }, input, nothing)).rejects.toMatchObject({
      row: budgets.pastViews.over,
    });
    endings.forEach((end) => end());
    await Promise.all(looking);
  });

  it('ends what takes too long, and keeps its place until it has ended', async () => {
    const { looks, begun, endings } = looksOf(5);
    await expect(looks.run({ userId: 1, gone: null }, input, nothing)).rejects.toMatchObject({
      row: budgets.pastViewSeconds.over,
    });
    expect(begun[0]!.aborted).toBe(true);
    await expect(looks.run({ userId: 1, gone: null }, input, nothing)).rejects.toMatchObject({ status: 429 });
    endings[0]!();
    await looks.close();
  });

  it('ends for who has gone', async () => {
    const { looks, begun, endings } = looksOf();
    const gone = new AbortController();
    const looking = looks.run({ userId: 1, gone: gone.signal }, input, nothing);
    await Promise.resolve();
    gone.abort();
    await expect(looking).rejects.toThrow(ClientGoneError);
    expect(begun[0]!.aborted).toBe(true);
    endings[0]!();
  });

  it('does not begin before it was noted that somebody looks', async () => {
    const { looks, begun } = looksOf();
    const refused = new Error('not noted');
    await expect(looks.run({ userId: 1, gone: null }, input, () => Promise.reject(refused))).rejects.toBe(
      refused,
    );
    expect(begun).toEqual([]);
  });

  it('is closed when all looks have ended', async () => {
    const { looks, endings } = looksOf();
    const looking = looks.run({ userId: 1, gone: null }, input, nothing);
    looking.catch(() => undefined);
    await Promise.resolve();
    let isClosed = false;
    const closing = looks.close().then(() => (isClosed = true));
    await expect(looking).rejects.toMatchObject({ row: 'unavailable' });
    expect(isClosed).toBe(false);
    endings[0]!();
    await closing;
    await expect(looks.run({ userId: 2, gone: null }, input, nothing)).rejects.toMatchObject({
      row: 'unavailable',
    });
  });
});
