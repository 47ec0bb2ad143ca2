import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { withTimeout } from '../../src/runtime/with-timeout.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Resolves with the reason for which a signal was aborted. */
function reasonOf(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));
}

describe('A task with a timeout', () => {
  it('is aborted by the timeout, also if garbage is collected meanwhile', async () => {
    const collecting = setInterval(collectGarbage, 10);
    try {
      const stopped = new AbortController().signal;
      const reason = await withTimeout({ stopped, timeout: 200 }, async (signal, late) => {
        const first = await reasonOf(signal);
        return { first, isLate: late.aborted };
      });
      expect(reason).toEqual({ first: expect.objectContaining({ name: 'TimeoutError' }), isLate: true });
    } finally {
      clearInterval(collecting);
    }
  });

  it('is aborted when it is stopped, which is no timeout', async () => {
    const stopping = new AbortController();
    const ended = withTimeout({ stopped: stopping.signal, timeout: 60_000 }, async (signal, late) => {
      await reasonOf(signal);
      return late.aborted;
    });
    stopping.abort();
    expect(await ended).toBe(false);
  });

  it('has the result and the error of the task', async () => {
    const ending = { stopped: new AbortController().signal, timeout: 60_000 };
    expect(await withTimeout(ending, async () => 'done')).toBe('done');
    await expect(withTimeout(ending, () => Promise.reject(new Error('Broken')))).rejects.toThrow('Broken');
  });
});
