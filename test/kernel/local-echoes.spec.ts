import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { LocalEchoes } from '../../src/contexts/messages/local-echoes.js';

const MEBIBYTE = 1_048_576;

/** Bytes of objects that are still referred to. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

it('Names of messages do not keep the requests in memory that they are parts of', () => {
  const echoes = new LocalEchoes();
  const before = bytesInUse();
  for (let number = 0; number < 100; number += 1) {
    const body = `${'x'.repeat(MEBIBYTE)}queue of the client, name of message ${number}`;
    const [queueId, localId] = [body.slice(MEBIBYTE, MEBIBYTE + 19), body.slice(MEBIBYTE + 21)];
    echoes.expect(`command ${number}`, { queueId, localId });
  }
  expect(bytesInUse() - before).toBeLessThan(20 * MEBIBYTE);
  expect(echoes.nameOf('command 99')).toEqual({
    queueId: 'queue of the client',
    localId: 'name of message 99',
  });
  expect(echoes.nameOf('command 100')).toBeNull();
});
