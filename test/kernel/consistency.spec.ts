import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { ConsistentLog, type AwaitedWrite } from '../../src/http/consistency.js';
import { handle } from '../../src/kernel/handle.js';
import { USERS_STREAM } from '../../src/contexts/users/users.state.js';
import { UserFirstLoggedIn } from '../../src/events/users.js';
import { decisionsOver } from '../support/decisions-over.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

const metadata = { actorId: 3, commandId: 'c', causationId: null, client: 'test', at: 1 };
const event = { type: UserFirstLoggedIn.type, data: UserFirstLoggedIn.example };

let stores: TemporaryStores;
beforeEach(async () => {
  stores = await openTemporaryStores();
});
afterEach(() => stores.dispose());

/** A reader of the log that has passed no event until the test says so. */
class SlowReader {
  readonly asked: AwaitedWrite[] = [];
  pass: () => void = () => undefined;
  private readonly passed = new Promise<boolean>((resolve) => (this.pass = () => resolve(true)));

  waitUntil(write: AwaitedWrite): Promise<boolean> {
    this.asked.push(write);
    return this.passed;
  }
}

/** Starts a task that waits for the readers, and tracks whether it is over. */
function begin(task: Promise<unknown>): { isOver: boolean; readonly task: Promise<unknown> } {
  const begun = { isOver: false, task };
  task.then(
    () => (begun.isOver = true),
    () => undefined,
  );
  return begun;
}

/**
 * Waits until the readers were asked, and then for some turns of the event loop: a task that does not wait for the
 * readers is over by then.
 */
async function untilAsked(readers: readonly SlowReader[]): Promise<void> {
  while (readers.some(({ asked }) => asked.length === 0)) await nextTurn();
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
}

it('an append is not over before every reader has passed it', async () => {
  const readers = [new SlowReader(), new SlowReader()] as const;
  const log = new ConsistentLog(stores.log, readers);
  const begun = begin(log.append({ stream: USERS_STREAM, expected: 'no-stream' }, [event], metadata));
  await untilAsked(readers);
  expect(begun.isOver).toBe(false);
  readers[0].pass();
  for (let turn = 0; turn < 50; turn += 1) await nextTurn();
  expect(begun.isOver).toBe(false);
  readers[1].pass();
  await begun.task;
  const head = await stores.eventStore.head();
  for (const { asked } of readers) expect(asked).toMatchObject([{ position: head, types: [event.type] }]);
});

it('a decision resolves only when every reader has passed the appended events', async () => {
  const reader = new SlowReader();
  const log = new ConsistentLog(stores.log, [reader]);
  const decisions = decisionsOver(new FoldedStreams(stores.log), log);
  const folded = { stream: USERS_STREAM, fold: { initial: null, evolve: () => null } };
  const begun = begin(decisions.decideAs(metadata, folded, () => [event]));
  await untilAsked([reader]);
  expect(begun.isOver).toBe(false);
  reader.pass();
  await begun.task;
  expect(reader.asked).toMatchObject([{ types: [event.type] }]);
});

describe('what a reader that is halted at an event would never show', () => {
  const asked: (readonly string[])[] = [];
  const halted = {
    waitUntil: () => Promise.resolve(false),
    isHalted: (types: readonly string[]): boolean => {
      asked.push(types);
      return true;
    },
  };

  it('is refused before it is written, whether it is appended or decided', async () => {
    const log = new ConsistentLog(stores.log, [halted]);
    const streams = new FoldedStreams(stores.log, { admit: (events, by) => log.admit(events, by) });
    const fold = { initial: null, evolve: () => null };
    const decision = { stream: USERS_STREAM, fold, decide: () => [event], metadata };
    const refusal = { row: 'unavailable', status: 503 };
    const target = { stream: USERS_STREAM, expected: 'no-stream' } as const;
    await expect(log.append(target, [event], metadata)).rejects.toMatchObject(refusal);
    await expect(handle(streams, decision)).rejects.toMatchObject(refusal);
    expect(await stores.eventStore.head()).toBeNull();
    expect(asked).toEqual([[event.type], [event.type]]);
  });

  it('is appended if another event of the log caused it', async () => {
    const log = new ConsistentLog(stores.log, [halted]);
    const following = { ...metadata, causationId: randomUUID() };
    await log.append({ stream: USERS_STREAM, expected: 'no-stream' }, [event], following);
    expect(await stores.eventStore.head()).not.toBeNull();
  });
});
