import { expect, it } from '@jest/globals';
import type { DirectoryFollower } from '../../src/access/directory-follower.js';
import { EraseMessages } from '../../src/erasure/erase-messages.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { standIn } from '../support/stand-in.js';

/** Deletions of messages 1, 2 …, each at the position of its message's id. */
function deletion(messageId: number): RecordedEvent {
  const metadata = { actorId: 1, commandId: `c${messageId}`, causationId: null, client: 'test', at: 0 };
  const place = { id: `e${messageId}`, stream: `message-${messageId}`, revision: 0, position: messageId };
  return { type: 'MessageDeleted', data: { messageId }, metadata, erased: false, ...place };
}

/** The reactor over a log of deletions; `erased` are the batches that it erased. */
function given(log: readonly RecordedEvent[], broken: ReadonlySet<number> = new Set()) {
  const erased: (readonly number[])[] = [];
  const settings = { message_erasure_policy: 'erase' };
  const reactor = new EraseMessages({
    follower: standIn<DirectoryFollower>({ current: () => ({ organization: { settings } }) }),
    log: standIn({
      store: {
        readAll: async function* ({ after }: { readonly after: number }) {
          yield { events: log.filter(({ position }) => position > after) };
        },
      },
    }),
    models: { pass: () => Promise.resolve() },
    legalHolds: { anyAt: () => Promise.resolve(false), casesOfMessage: () => Promise.resolve([]) },
    traces: { of: () => Promise.resolve([]) },
    eraser: {
      deferMessages: () => Promise.resolve(),
      deferredMessages: () => Promise.resolve([]),
      eraseMessages: (deleted) => {
        const ids = deleted.map(({ messageId }) => messageId);
        if (ids.some((id) => broken.has(id))) return Promise.reject(new Error('Broken'));
        erased.push(ids);
        return Promise.resolve();
      },
    },
  });
  const handle = async (event: RecordedEvent): Promise<void> => reactor.on[event.type]?.(event);
  return { handle, erased };
}

it('deletions that follow are erased with the first, and not again when their turn comes', async () => {
  const log = [1, 2, 3].map(deletion);
  const { handle, erased } = given(log);
  for (const event of [...log, ...log]) await handle(event);
  expect(erased).toEqual([[1, 2, 3]]);
});

it('a restored deletion is erased, though later ones have been', async () => {
  const log: RecordedEvent[] = [deletion(1)];
  const broken = new Set([1]);
  const { handle, erased } = given(log, broken);
  await expect(handle(log[0]!)).rejects.toThrow('Broken');
  log.push(deletion(2), deletion(3));
  await handle(log[1]!);
  broken.clear();
  await handle(log[0]!);
  await handle(log[2]!);
  expect(erased).toEqual([[2, 3], [1]]);
});
