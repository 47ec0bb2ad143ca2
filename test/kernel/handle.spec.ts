import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { EventCatalog } from '../../src/stores/event-store/catalog.js';
import { EventCodec } from '../../src/stores/event-store/codec.js';
import { openEmbeddedEventStore } from '../../src/stores/event-store/embedded/embedded-event-store.js';
import { EventLog } from '../../src/stores/event-store/event-log.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import type { ReadStreamOptions } from '../../src/stores/event-store/port.js';
import type { Fold } from '../../src/kernel/fold.js';
import { ApplicationError } from '../../src/kernel/errors.js';
import {
  defineEvent,
  type DomainEvent,
  type EventMetadata,
  type EventOf,
  type RecordedEvent,
} from '../../src/kernel/event.js';
import type { AppendedEvents, AppendOutcome, CommandEvents } from '../../src/kernel/decision.js';
import { handle } from '../../src/kernel/handle.js';
import { Vault } from '../../src/stores/key-store/vault.js';
import type { ConsistentLog } from '../../src/http/consistency.js';
import type { Decisions } from '../../src/http/decisions.js';
import { decisionsOver } from '../support/decisions-over.js';
import { eventually } from '../support/eventually.js';
import { standIn } from '../support/stand-in.js';
import { MemoryKeyStore } from './memory-key-store.js';

const CoinsPaidIn = defineEvent({
  type: 'CoinsPaidIn',
  description: 'Coins were put into a box.',
  schema: z.strictObject({ coins: z.number().int(), note: z.string().optional() }),
  example: { coins: 3 },
});
type CoinsPaidIn = EventOf<typeof CoinsPaidIn>;

interface Box {
  readonly coins: number;
  readonly payments: readonly number[];
}

let evolved = 0;
const box: Fold<Box, RecordedEvent<CoinsPaidIn>> = {
  initial: { coins: 0, payments: [] },
  evolve(state, event) {
    evolved++;
    return { coins: state.coins + event.data.coins, payments: [...state.payments, event.revision] };
  },
};

class CountingLog extends EventLog {
  reads = 0;
  /** The number of events that were read. */
  found = 0;
  appends = 0;
  beforeAppend: () => Promise<unknown> = async () => {};

  override async readStream(stream: string, options: ReadStreamOptions): Promise<readonly RecordedEvent[]> {
    this.reads++;
    const events = await super.readStream(stream, options);
    this.found += events.length;
    return events;
  }

  override async appendTogether<Event extends DomainEvent>(
    target: { readonly stream: string; readonly expected: number | 'no-stream' },
    commands: readonly CommandEvents<Event>[],
  ): Promise<readonly AppendOutcome<Event>[]> {
    await this.beforeAppend();
    this.appends++;
    return super.appendTogether(target, commands);
  }
}

let folder: string;
let log: CountingLog;
let streams: FoldedStreams;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handle-'));
  const key = () => createSecretKey(randomBytes(32));
  const serverKey = { wrapping: key(), lookup: key(), credentials: key(), links: key() };
  const codec = new EventCodec(
    new EventCatalog([CoinsPaidIn]),
    new Vault({ keyStore: new MemoryKeyStore(), serverKey }),
  );
  log = new CountingLog(openEmbeddedEventStore({ file: join(folder, 'log.sqlite') }), codec);
  streams = new FoldedStreams(log);
  evolved = 0;
});
afterEach(async () => {
  await log.store.close();
  rmSync(folder, { recursive: true });
});

function metadata(commandId: string = randomUUID()): EventMetadata {
  return { actorId: 3, commandId, causationId: null, client: 'tests', at: 0 };
}

function payments(...coins: number[]): CoinsPaidIn[] {
  return coins.map((amount) => ({ type: 'CoinsPaidIn', data: { coins: amount } }));
}

interface Payment {
  readonly stream?: string;
  readonly commandId?: string;
  readonly by?: FoldedStreams;
  readonly decide?: (state: Box, revision: number | null) => readonly CoinsPaidIn[];
  readonly attempts?: number;
}

function pay({
  stream = 'box',
  commandId,
  by = streams,
  decide = () => payments(1),
  attempts = 10,
}: Payment = {}) {
  return handle<Box, RecordedEvent<CoinsPaidIn>, CoinsPaidIn>(by, {
    stream,
    fold: box,
    decide,
    metadata: metadata(commandId),
    attempts,
  });
}

/** Decisions of another process on the same log, which wait for these readers. */
function decisionsThatWait(
  waitUntilReadable: (appended: AppendedEvents<DomainEvent>) => Promise<void>,
): Decisions {
  return decisionsOver(new FoldedStreams(log), standIn<ConsistentLog>({ waitUntilReadable }));
}

async function coinsIn(stream = 'box'): Promise<number> {
  return (await new FoldedStreams(log).load({ stream, fold: box })).state.coins;
}

describe('what this process appended itself', () => {
  it('is known without being read again', async () => {
    for (let payment = 0; payment < 5; payment += 1) await pay();
    expect((await streams.load({ stream: 'box', fold: box })).state).toEqual({
      coins: 5,
      payments: [0, 1, 2, 3, 4],
    });
    expect(log.found).toBe(0);
  });

  it('is read where another process appended in between', async () => {
    await pay();
    await pay({ by: new FoldedStreams(log) });
    await pay();
    expect(await coinsIn('box')).toBe(3);
    expect((await streams.load({ stream: 'box', fold: box })).state.payments).toEqual([0, 1, 2]);
  });

  it('is not kept where the stream was to be forgotten meanwhile', async () => {
    await pay();
    log.beforeAppend = async () => streams.forget(['box']);
    await pay();
    const before = log.found;
    expect((await streams.load({ stream: 'box', fold: box })).state.coins).toBe(2);
    expect(log.found - before).toBe(2);
  });
});

describe('handling a command', () => {
  it('decides on what the stream holds and appends what was decided', async () => {
    const seen: unknown[] = [];
    const decide = (state: Box, revision: number | null) => {
      seen.push([state.coins, revision]);
      return payments(2, 3);
    };
    const first = await pay({ decide });
    const second = await pay({ decide });
    expect(seen).toEqual([
      [0, null],
      [5, 1],
    ]);
    expect(first).toMatchObject({
      revision: 1,
      events: [{ revision: 0 }, { revision: 1, data: { coins: 3 } }],
    });
    expect(second!.revision).toBe(3);
    expect(second!.position).toBeGreaterThan(first!.position);
    expect(await coinsIn()).toBe(10);
  });

  it('does what belongs to an append before anybody waits for its readers, and once', async () => {
    const order: string[] = [];
    const decisions = decisionsThatWait(async ({ revision }) => void order.push(`settled ${revision}`));
    const folded = {
      stream: 'box',
      fold: box,
      afterAppend: async ([event]: readonly RecordedEvent<CoinsPaidIn>[]) =>
        void order.push(`appended ${event!.revision}`),
    };
    await decisions.decideAs(metadata('the same'), folded, () => payments(1));
    await decisions.decideAs(metadata('the same'), folded, () => payments(1));
    expect(order).toEqual(['appended 0', 'settled 0', 'settled 0']);
  });

  it('appends nothing when nothing is to change', async () => {
    expect(await pay({ decide: () => [] })).toBeNull();
    expect(await log.store.readStream('box', { limit: 1 })).toEqual([]);
  });

  it('passes a refusal on, appends nothing, and leaves the stream to the next', async () => {
    const refusal = new Error('The box is full');
    const refused = pay({
      decide: () => {
        throw refusal;
      },
    });
    const next = pay();
    await expect(refused).rejects.toBe(refusal);
    expect((await next)!.revision).toBe(0);
  });

  it('lets any number of commands of one process follow each other on one stream', async () => {
    let decisions = 0;
    const decide = (state: Box) => {
      decisions++;
      return state.coins < 20 ? payments(1) : [];
    };
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay({ decide })));
    expect(answers.filter((answer) => answer !== null).map((answer) => answer.revision)).toEqual([
      ...Array(20).keys(),
    ]);
    expect(decisions).toBe(50);
  });

  it('waits for what its caller reads next without keeping the stream from the next command', async () => {
    const settled: number[] = [];
    const releases: (() => void)[] = [];
    const decisions = decisionsThatWait(({ revision }) => {
      settled.push(revision);
      return new Promise<void>((resolve) => releases.push(resolve));
    });
    const decide = () => decisions.decideAs(metadata(), { stream: 'box', fold: box }, () => payments(1));
    const waiting = [decide(), decide()];
    await eventually(
      async () => releases.length,
      (count) => count === 2,
    );
    expect(settled).toEqual([0, 1]);
    releases.forEach((release) => release());
    expect((await Promise.all(waiting)).map(({ events }) => events[0]?.revision)).toEqual([0, 1]);
  });

  it('waits for what was appended under a lock after the lock is free', async () => {
    const order: string[] = [];
    const decisions = decisionsThatWait(async ({ revision }) => {
      await streams.withLock('box', async () => void order.push(`lock is free ${revision}`));
    });
    const append = decisions.withLock('box', async (append) => {
      const appended = await append(null, payments(1), metadata());
      order.push('appended');
      return appended?.revision;
    });
    await expect(append).resolves.toBe(0);
    expect(order).toEqual(['appended', 'lock is free 0']);
  });

  it('waits for nothing where nothing was appended under a lock', async () => {
    const decisions = decisionsThatWait(() => Promise.reject(new Error('Nothing to wait for')));
    await pay();
    const append = decisions.withLock('box', (append) => append(null, payments(1), metadata()));
    await expect(append).resolves.toBeNull();
  });

  it('waits for nothing where nothing was appended', async () => {
    const decisions = decisionsThatWait(() => Promise.reject(new Error('Nothing to wait for')));
    const nothing = decisions.decideAs(metadata(), { stream: 'box', fold: box }, () => []);
    await expect(nothing).resolves.toMatchObject({ events: [] });
  });

  it('does not let streams wait for each other', async () => {
    let release = (): void => {};
    const held = streams.withLock('box', () => new Promise<void>((resolve) => (release = resolve)));
    expect((await pay({ stream: 'other-box' }))!.revision).toBe(0);
    release();
    await held;
  });

  it('decides again on what another process was faster to append', async () => {
    const others = new FoldedStreams(log);
    log.beforeAppend = async () => {
      log.beforeAppend = async () => {};
      await pay({ by: others, decide: () => payments(7) });
    };
    const seen: number[] = [];
    const answer = await pay({
      decide: (state) => {
        seen.push(state.coins);
        return payments(1);
      },
    });
    expect(seen).toEqual([0, 7]);
    expect(answer!.revision).toBe(1);
  });

  it('gives up as unavailable when others are faster every time', async () => {
    const others = new FoldedStreams(log);
    let busy = false;
    log.beforeAppend = async () => {
      if (busy) return;
      busy = true;
      await pay({ by: others });
      busy = false;
    };
    let decisions = 0;
    const decide = () => {
      decisions++;
      return payments(100);
    };
    const error: unknown = await pay({ decide, attempts: 3 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApplicationError);
    expect(error).toMatchObject({ row: 'unavailable', status: 503 });
    expect(decisions).toBe(3);
    expect(await coinsIn()).toBe(3);
  });
});

describe('decisions that wait for the same turn', () => {
  /** Starts decisions that wait for the stream's lock, then releases it. */
  async function together<Result>(
    decisions: () => Promise<Result>[],
  ): Promise<PromiseSettledResult<Result>[]> {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const held = streams.withLock('box', () => released);
    const waiting = Promise.allSettled(decisions());
    release();
    await held;
    return waiting;
  }

  it('are each made on what those before them append, and appended at once', async () => {
    const seen: unknown[] = [];
    const decide = (state: Box, revision: number | null) => {
      seen.push([state.coins, state.payments, revision]);
      return payments(2, 3);
    };
    const answers = await together(() => [pay({ decide }), pay({ decide }), pay({ decide })]);
    expect(seen).toEqual([
      [0, [], null],
      [5, [0, 1], 1],
      [10, [0, 1, 2, 3], 3],
    ]);
    expect(answers).toMatchObject([
      { value: { revision: 1, events: [{ revision: 0 }, { revision: 1 }] } },
      { value: { revision: 3 } },
      { value: { revision: 5, events: [{ revision: 4 }, { revision: 5, data: { coins: 3 } }] } },
    ]);
    expect(log.appends).toBe(1);
    const stored = await log.readStream('box', { limit: 10 });
    expect(stored.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(stored.map(({ metadata: { commandId } }) => commandId)).size).toBe(3);
    expect(await coinsIn()).toBe(15);
  });

  it('need no look into the log where this process appended last', async () => {
    await pay();
    log.reads = 0;
    await together(() => [pay(), pay()]);
    expect([log.reads, log.appends]).toEqual([0, 2]);
  });

  it('are refused, or change nothing, each for itself', async () => {
    const refusal = new Error('The box is full');
    const full = (state: Box) => {
      if (state.coins >= 2) throw refusal;
      return payments(1);
    };
    const answers = await together(() => [
      pay({ decide: full }),
      pay({ decide: () => [] }),
      pay({ decide: full }),
      pay({ decide: full }),
      pay({ decide: ({ coins }) => payments(coins) }),
    ]);
    expect(answers).toMatchObject([
      { value: { revision: 0 } },
      { value: null },
      { value: { revision: 1 } },
      { reason: refusal },
      { value: { revision: 2, events: [{ data: { coins: 2 } }] } },
    ]);
    expect(await coinsIn()).toBe(4);
  });

  it('are made again when what was decided before them cannot be written', async () => {
    const invalid = () => [{ type: 'CoinsPaidIn', data: { coins: 0.5 } }] as const;
    const decide = ({ coins }: Box) => payments(coins + 1);
    const answers = await together(() => [
      pay({ decide }),
      pay({ decide: invalid }),
      pay({ decide }),
      pay({ decide }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await coinsIn()).toBe(1 + 2 + 4);
  });

  it('are made again together when another process was faster', async () => {
    await pay();
    await pay({ by: new FoldedStreams(log), decide: () => payments(7) });
    const seen: number[] = [];
    const decide = ({ coins }: Box) => {
      seen.push(coins);
      return payments(1);
    };
    const answers = await together(() => [pay({ decide }), pay({ decide })]);
    expect(seen).toEqual([1, 2, 8, 9]);
    expect(answers).toMatchObject([{ value: { revision: 2 } }, { value: { revision: 3 } }]);
  });

  it('are answered by what the log holds, not by what this process last knew', async () => {
    await pay();
    await pay({ by: new FoldedStreams(log), decide: () => payments(7) });
    const rich = ({ coins }: Box) => {
      if (coins < 8) throw new Error('Too few coins');
      return [];
    };
    const answers = await together(() => [pay({ decide: rich }), pay({ decide: rich })]);
    expect(answers).toMatchObject([{ value: null }, { value: null }]);
  });

  it('append the same command once', async () => {
    const commandId = randomUUID();
    const answers = await together(() => [pay({ commandId }), pay({ commandId }), pay()]);
    expect(answers).toMatchObject([
      { value: { revision: 0 } },
      { value: { revision: 0 } },
      { value: { revision: 1 } },
    ]);
    expect(await coinsIn()).toBe(2);
  });

  it('go in as many appends as their bytes take', async () => {
    const large = () => [{ type: 'CoinsPaidIn', data: { coins: 1, note: 'x'.repeat(400_000) } }] as const;
    const answers = await together(() => [
      pay({ decide: large }),
      pay({ decide: large }),
      pay({ decide: large }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(log.appends).toBe(2);
    expect(await coinsIn()).toBe(3);
  });

  it('do each what belongs to their append, and fail alone where that fails', async () => {
    const done: number[] = [];
    const payThen = (then: (revision: number) => void) =>
      handle<Box, RecordedEvent<CoinsPaidIn>, CoinsPaidIn>(streams, {
        stream: 'box',
        fold: box,
        decide: () => payments(1),
        metadata: metadata(),
        afterAppend: async ([event]) => then(event!.revision),
      });
    const note = (revision: number) => void done.push(revision);
    const fail = () => {
      throw new Error('Not to be done');
    };
    const answers = await together(() => [payThen(note), payThen(fail), payThen(note)]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(done).toEqual([0, 2]);
    expect(await coinsIn()).toBe(3);
  });

  it('fail together when the log cannot be reached', async () => {
    log.beforeAppend = () => Promise.reject(new Error('No connection'));
    const answers = await together(() => [pay(), pay()]);
    expect(answers).toMatchObject([
      { reason: { message: 'No connection' } },
      { reason: { message: 'No connection' } },
    ]);
    log.beforeAppend = async () => {};
    expect((await pay())!.revision).toBe(0);
  });
});

describe('a command that is sent again', () => {
  it('gets the answer of the first time and is not decided again', async () => {
    const commandId = randomUUID();
    const first = await pay({ commandId, decide: () => payments(1, 2) });
    await pay();
    const never = () => {
      throw new Error('decided again');
    };
    for (const by of [streams, new FoldedStreams(log)]) {
      const again = (await pay({ commandId, by, decide: never })) as AppendedEvents<CoinsPaidIn>;
      expect(again.revision).toBe(first!.revision);
      expect(again.position).toBe(first!.position);
      expect(again.events.map(({ id, revision, data }) => ({ id, revision, data }))).toEqual(
        first!.events.map(({ id, revision, data }) => ({ id, revision, data })),
      );
    }
    expect(await coinsIn()).toBe(4);
  });

  it('gets the answer of the first time however many others came after it', async () => {
    const commandId = randomUUID();
    const first = await pay({ commandId });
    for (let number = 0; number < 40; number += 1) await pay();
    const [again, other] = await Promise.all([pay({ commandId, decide: () => payments(7, 8) }), pay()]);
    expect(again).toEqual(first);
    expect(other!.revision).toBe(41);
    expect(await coinsIn()).toBe(42);
  });

  it('waits for its own readers though the first time another waited for nobody', async () => {
    const commandId = randomUUID();
    await pay({ commandId });
    const settled: number[] = [];
    const decisions = decisionsThatWait(async ({ revision }) => void settled.push(revision));
    await decisions.decideAs(metadata(commandId), { stream: 'box', fold: box }, () => payments(1));
    expect(settled).toEqual([0]);
  });

  it('finds what another process appended for it meanwhile', async () => {
    const commandId = randomUUID();
    const others = new FoldedStreams(log);
    log.beforeAppend = async () => {
      log.beforeAppend = async () => {};
      await pay({ by: others });
      await pay({ by: others, commandId });
    };
    const answer = await pay({ commandId });
    expect(answer!.revision).toBe(1);
    expect(await coinsIn()).toBe(2);
  });
});

describe('folded state', () => {
  it('is brought up to the tail by reading and folding only what is new', async () => {
    await pay({ decide: () => payments(1, 2, 3) });
    await pay({ by: new FoldedStreams(log) });
    evolved = 0;
    const { state, revision } = await streams.load({ stream: 'box', fold: box });
    expect([state.coins, revision, evolved]).toEqual([7, 3, 1]);
    await streams.load({ stream: 'box', fold: box });
    expect(evolved).toBe(1);
  });

  it('of a long stream is read in pages', async () => {
    for (let page = 0; page < 3; page++) {
      await log.append(
        { stream: 'box', expected: page === 0 ? 'no-stream' : page * 700 - 1 },
        payments(...Array<number>(700).fill(1)),
        metadata(),
      );
    }
    log.reads = 0;
    const { state, revision } = await streams.load({ stream: 'box', fold: box });
    expect([state.coins, revision, log.reads]).toEqual([2100, 2099, 3]);
    expect(state.payments).toEqual([...Array(2100).keys()]);
  });

  it('is shared by folds that evolve alike, and by no others', async () => {
    await pay({ by: new FoldedStreams(log) });
    evolved = 0;
    await streams.load({ stream: 'box', fold: { ...box } });
    await streams.load({ stream: 'box', fold: { ...box } });
    expect(evolved).toBe(1);
    const count = { initial: 0, evolve: (state: number) => state + 1 };
    expect((await streams.load({ stream: 'box', fold: count })).state).toBe(1);
  });

  it('is forgotten when it is cleared, even while it is being loaded', async () => {
    await pay();
    await streams.load({ stream: 'box', fold: box });
    const loading = streams.load({ stream: 'box', fold: box });
    streams.clear();
    await loading;
    evolved = 0;
    expect((await streams.load({ stream: 'box', fold: box })).state.coins).toBe(1);
    expect(evolved).toBe(1);
  });

  it('keeps only as many streams as it may', async () => {
    const few = new FoldedStreams(log, { maxStates: 1 });
    await pay({ stream: 'a', by: few });
    await pay({ stream: 'b', by: few });
    await few.load({ stream: 'b', fold: box });
    evolved = 0;
    await few.load({ stream: 'a', fold: box });
    expect(evolved).toBe(1);
  });
});
