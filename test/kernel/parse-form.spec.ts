import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { parseForm } from '../../src/http/request-parameters.js';

const MEBIBYTE = 1_048_576;

/** Bytes of objects that are still referred to. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('The fields of a form', () => {
  it('do not keep the request in memory that they are parts of', () => {
    const filling = 'x'.repeat(MEBIBYTE);
    const before = bytesInUse();
    const kept = Array.from({ length: 100 }, (_, number) => {
      const fields = parseForm(
        `name=somebody number ${number}&password=${filling}&to=one of them&to=another one`,
      );
      return [fields['name'], fields['to']];
    });
    expect(bytesInUse() - before).toBeLessThan(20 * MEBIBYTE);
    expect(kept.at(-1)).toEqual(['somebody number 99', ['one of them', 'another one']]);
  });

  it('are the same in a long request as in a short one', () => {
    const short = 'a=&b=%F0%9F%8E%89+%22%5C&b=\ud800&c=%zz&__proto__=1';
    const { filling, ...fields } = parseForm(`${short}&filling=${'y'.repeat(3_000)}`);
    expect(filling).toHaveLength(3_000);
    expect(fields).toEqual({ ...parseForm(short) });
  });
});
