import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { FoldedStream } from '../../src/kernel/decision.js';
import { defineEvent, type EventOf, type RecordedEvent } from '../../src/kernel/event.js';
import { handle } from '../../src/kernel/handle.js';
import { EventCatalog } from '../../src/stores/event-store/catalog.js';
import { EventCodec } from '../../src/stores/event-store/codec.js';
import { serverMetadata } from '../../src/stores/event-store/command-metadata.js';
import { RepeatedReactions } from '../../src/stores/event-store/earlier-commands.js';
import { commandIdOf, randomCommandId } from '../../src/stores/event-store/event-id.js';
import { EventLog } from '../../src/stores/event-store/event-log.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import type { EventStore } from '../../src/stores/event-store/port.js';
import { advanced } from '../../src/stores/event-store/state-cache.js';
import { Vault } from '../../src/stores/key-store/vault.js';
import { MemoryKeyStore } from '../kernel/memory-key-store.js';
import { eventsOf, idsOf, readWholeStream, someEvents, uniqueName } from './support/event-store-events.js';
import { describeEventStores } from './support/event-store-suite.js';

const Noted = defineEvent({
  type: 'Noted',
  description: 'Something was noted.',
  schema: z.strictObject({ number: z.int() }),
  example: { number: 1 },
});
type Noted = EventOf<typeof Noted>;

/** More than the last commands of a stream that its cached state knows. */
const CAUSES = 40;

function logOn(store: EventStore): EventLog {
  const key = () => createSecretKey(randomBytes(32));
  const serverKey = { wrapping: key(), lookup: key(), credentials: key(), links: key() };
  const vault = new Vault({ keyStore: new MemoryKeyStore(), serverKey });
  return new EventLog(store, new EventCodec(new EventCatalog([Noted]), vault));
}

function countOf(stream: string): FoldedStream<number, RecordedEvent<Noted>> {
  return { stream, fold: { initial: 0, evolve: (count) => count + 1 } };
}

/** A process with a reactor that notes each cause twice in one stream, whatever is there. */
class Process {
  readonly log: EventLog;
  private readonly streams: FoldedStreams;

  constructor(
    store: EventStore,
    private readonly stream: string,
  ) {
    this.log = logOn(store);
    this.streams = new FoldedStreams(this.log);
  }

  note(causeId: string) {
    return this.noteBy(serverMetadata(commandIdOf(['note', causeId]), 1, causeId));
  }

  /** A command of a client, which no event caused. */
  ask(commandId: string) {
    return this.noteBy(serverMetadata(commandId, 1));
  }

  private noteBy(metadata: ReturnType<typeof serverMetadata>) {
    return handle(this.streams, {
      ...countOf(this.stream),
      decide: (number) => [0, 1].map((more): Noted => ({ type: 'Noted', data: { number: number + more } })),
      metadata,
    });
  }
}

describeEventStores('commands of a reactor that died in the middle of a page', (given) => {
  it('are written once, however many others the stream has after them', async () => {
    const [causing, stream] = [uniqueName('causes'), uniqueName('notes')];
    const before = await given.store.head();
    const first = new Process(given.store, stream);
    // What is in the stream already makes it longer than the part in which the commands are looked for.
    for (let number = 0; number < 10; number += 1) await first.note(uniqueName('earlier'));
    await given.store.append(causing, 'no-stream', someEvents(CAUSES));
    const causes = (await eventsOf(given.store.readAll({ after: before }))).filter(
      (event) => event.stream === causing,
    );
    for (const cause of causes.slice(0, -1)) await first.note(cause.id);
    const written = await readWholeStream(given.store, stream);

    const store = given.open();
    const next = new Process(store, stream);
    const repeated = await RepeatedReactions.begin(next.log);
    const revisions: (number | undefined)[] = [];
    for (const cause of causes) {
      const appended = await repeated.handle(cause, () => next.note(cause.id));
      revisions.push(appended?.revision);
    }
    const after = await readWholeStream(given.store, stream);
    expect(idsOf(after.slice(0, -2))).toEqual(idsOf(written));
    expect(revisions).toEqual(causes.map((_, index) => 21 + 2 * index));
  });

  it('are found among what others append meanwhile', async () => {
    const [causing, stream] = [uniqueName('causes'), uniqueName('notes')];
    const before = await given.store.head();
    await given.store.append(causing, 'no-stream', someEvents(2));
    const causes = (await eventsOf(given.store.readAll({ after: before }))).filter(
      (event) => event.stream === causing,
    );
    const first = new Process(given.store, stream);
    for (const { id } of causes) await first.note(id);

    const next = new Process(given.store, stream);
    const repeated = await RepeatedReactions.begin(next.log);
    await repeated.handle(causes[0]!, () => next.note(causes[0]!.id));
    for (let number = 0; number < 40; number += 1) await next.note(uniqueName('other'));
    const appended = await repeated.handle(causes[1]!, () => next.note(causes[1]!.id));
    expect(appended?.revision).toBe(3);
    expect(await readWholeStream(given.store, stream)).toHaveLength(2 * 42);
  });
});

describeEventStores('a command of a client that is given again', (given) => {
  it('is written once, however many others that cannot be repeated came after it', async () => {
    const stream = uniqueName('notes');
    const first = new Process(given.store, stream);
    await first.ask(randomCommandId());
    const commandId = commandIdOf(['upload', stream]);
    const written = await first.ask(commandId);
    for (let number = 0; number < CAUSES; number += 1) await first.ask(randomCommandId());
    for (const by of [first, new Process(given.open(), stream)])
      expect((await by.ask(commandId))?.revision).toBe(written!.revision);
    expect(await readWholeStream(given.store, stream)).toHaveLength(2 * (CAUSES + 2));
  });
});

describe('the commands that are known of a stream', () => {
  it('are the last ones, and a bounded number of those before them that may be repeated', () => {
    const event = (commandId: string, revision: number): RecordedEvent => ({
      ...{
        type: 'Noted',
        data: { number: 1 },
        id: '',
        stream: 'notes',
        revision,
        position: revision,
        erased: false,
      },
      metadata: serverMetadata(commandId, 1),
    });
    const ids = Array.from({ length: 1000 }, (_, index) =>
      index % 2 === 0 ? commandIdOf([String(index)]) : randomCommandId(),
    );
    const evolve = (count: number): number => count + 1;
    const none = { state: 0, last: null, commands: [], snapshot: null, evolve };
    const { commands } = advanced(none, ids.map(event));
    const repeatable = ids.slice(0, -32).filter((_, index) => index % 2 === 0);
    expect(commands.map(({ commandId }) => commandId)).toEqual([
      ...repeatable.slice(-256),
      ...ids.slice(-32),
    ]);
    expect(commands[0]!.revision).toBe(ids.indexOf(commands[0]!.commandId));
  });
});
