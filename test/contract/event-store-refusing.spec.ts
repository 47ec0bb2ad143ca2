import { expect, it } from '@jest/globals';
import {
  AppendTooLargeError,
  InvalidAppendError,
  MAX_APPEND_BYTES,
  type StoredEvent,
} from '../../src/stores/event-store/port.js';
import { someEvent, someEvents, uniqueName } from './support/event-store-events.js';
import { describeEventStores } from './support/event-store-suite.js';

describeEventStores('what an event store refuses before anything is sent or written', (given) => {
  const ok = someEvent();
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;

  it.each<[string, object]>([
    ['an id that is no UUID', { id: 'not-a-uuid' }],
    ['an upper-case id', { id: ok.id.toUpperCase().replace(/^./, 'A') }],
    ['an empty type', { type: '' }],
    ['a type of the system', { type: '$metadata' }],
    ['absent data', { data: undefined }],
    ['data that is no object', { data: [1] }],
    ['a BigInt', { data: { amount: 1n } }],
    ['an undefined member', { data: { name: undefined } }],
    ['a number that JSON does not know', { data: { ratio: Number.NaN } }],
    ['a date', { data: { at: new Date() } }],
    ['a function', { data: { run: () => undefined } }],
    ['a hole in a list', { data: { list: new Array(2) } }],
    ['a cycle', { data: cyclic }],
    ['metadata that is not JSON', { metadata: { amount: 1n } }],
    ['absent metadata', { metadata: undefined }],
  ])('%s', async (_, fault) => {
    const stream = uniqueName('stream');
    const refused = given.store.append(stream, 'no-stream', [ok, { ...someEvent(), ...fault }]);
    await expect(refused).rejects.toBeInstanceOf(InvalidAppendError);
    expect(await given.store.append(stream, 'no-stream', someEvents(1))).toMatchObject({ revision: 0 });
  });

  it('no events, the same event twice, and a stream or revision that cannot be', async () => {
    const stream = uniqueName('stream');
    const attempts = [
      given.store.append(stream, 'no-stream', []),
      given.store.append(stream, 'no-stream', [ok, ok]),
      given.store.append('', 'no-stream', [ok]),
      given.store.append('$system', 'no-stream', [ok]),
      given.store.append(stream, -1, [ok]),
      given.store.append(stream, 0.5, [ok]),
    ];
    for (const refused of await Promise.allSettled(attempts)) {
      expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'InvalidAppendError' } });
    }
    expect(await given.store.readStream(stream, { limit: 1 })).toEqual([]);
  });

  it('more than a mebibyte of data, while exactly that passes and metadata does not count', async () => {
    const stream = uniqueName('stream');
    const sized = (bytes: number): StoredEvent[] => {
      const half = someEvent('Big', { text: 'x'.repeat(bytes / 2 - 11) });
      return [half, { ...half, id: someEvent().id, metadata: { note: 'y'.repeat(1_000) } }];
    };
    const tooLarge = given.store.append(stream, 'no-stream', sized(MAX_APPEND_BYTES + 2));
    await expect(tooLarge).rejects.toBeInstanceOf(AppendTooLargeError);
    await expect(tooLarge).rejects.toMatchObject({ bytes: MAX_APPEND_BYTES + 2 });
    expect(await given.store.append(stream, 'no-stream', sized(MAX_APPEND_BYTES))).toMatchObject({
      revision: 1,
    });
  });
});
