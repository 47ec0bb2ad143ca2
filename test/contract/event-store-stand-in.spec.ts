import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  EventStoreDBClient,
  eventTypeFilter,
  jsonEvent,
  MaxAppendSizeExceededError,
  StreamNotFoundError,
  UnknownError,
  WrongExpectedVersionError,
  type AllStreamResolvedEvent,
  type AppendExpectedRevision,
  type AppendResult,
  type EventData,
  type Position,
} from '@eventstore/db-client';
import { waitUntil } from './support/event-store-events.js';
import { startStandIn } from './support/event-store-fixtures.js';

const url = process.env['EVENTSTORE_URL'];

const servers = [
  {
    name: 'the stand-in',
    start: async () => {
      const { server, close } = await startStandIn();
      return { connectionString: server.connectionString, close };
    },
  },
  ...(url
    ? [
        {
          name: 'EVENTSTORE_URL',
          start: () => Promise.resolve({ connectionString: url, close: () => Promise.resolve() }),
        },
      ]
    : []),
];

const event = (id: string = randomUUID(), type = 'Happened') =>
  jsonEvent({ id, type, data: { a: 1 }, metadata: { b: 2 } });

/** What the adapter relies on, and must cope with, asked of the server directly. */
describe.each(servers)('EventStoreDB as its client shows it: $name', ({ start }) => {
  let server: Awaited<ReturnType<typeof start>>;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    server = await start();
    client = EventStoreDBClient.connectionString(server.connectionString);
  });

  afterAll(async () => {
    await client.dispose();
    await server.close();
  });

  const append = (
    stream: string,
    expectedRevision: AppendExpectedRevision,
    events: EventData[],
  ): Promise<AppendResult> =>
    client.appendToStream(stream, events, {
      expectedRevision,
      credentials: { username: 'admin', password: 'changeit' },
    });

  const readAll = async (
    options: Parameters<typeof client.readAll>[0],
  ): Promise<AllStreamResolvedEvent[]> => {
    const events = [];
    for await (const resolved of client.readAll(options)) events.push(resolved);
    return events;
  };

  const readStream = async (stream: string, maxCount = 100) => {
    const events = [];
    for await (const resolved of client.readStream(stream, { maxCount })) events.push(resolved.event!);
    return events;
  };

  it('stores nothing of an append that is cancelled before all of it has arrived', async () => {
    const events = Array.from({ length: 2_000 }, () => event());
    for (const deadline of [10, 20, 40, 80, 160]) {
      const stream = randomUUID();
      const credentials = { username: 'admin', password: 'changeit' };
      const appending = client.appendToStream(
        stream,
        events.map((each) => ({ ...each, id: randomUUID() })),
        {
          credentials,
          deadline,
        },
      );
      await appending.catch(() => undefined);
      const marker = await append(stream, 'any', [event()]);
      expect([0n, 2_000n]).toContain(marker.nextExpectedRevision);
    }
  });

  it('answers an append with the position of its last event', async () => {
    const stream = randomUUID();
    const result = await append(stream, 'no_stream', [event(), event()]);
    expect(result).toMatchObject({ success: true, nextExpectedRevision: 1n });
    const last = (await readStream(stream)).at(-1)!;
    expect(last.position).toEqual(result.position);
    expect(result.position!.commit).toBe(result.position!.prepare);
  });

  it('refuses a wrong expected revision with an error that has neither message nor code', async () => {
    const stream = randomUUID();
    await append(stream, 'no_stream', [event()]);
    const error: unknown = await append(stream, 5n, [event()]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WrongExpectedVersionError);
    expect(error).toMatchObject({ message: '', expectedVersion: 5n, actualVersion: 0n, streamName: stream });
    const missing: unknown = await append(randomUUID(), 5n, [event()]).catch((reason: unknown) => reason);
    expect(missing).toMatchObject({ actualVersion: 'no_stream' });
  });

  it('recognises a retried append or a prefix of it, but not a mixture of appends', async () => {
    const stream = randomUUID();
    const events = [event(), event()];
    const first = await append(stream, 'no_stream', events);
    expect(await append(stream, 'no_stream', events)).toEqual(first);
    expect(await append(stream, 'any', events)).toEqual(first);
    expect(await append(stream, 'no_stream', events.slice(0, 1))).toMatchObject({ nextExpectedRevision: 0n });
    const mixed = append(stream, 'no_stream', [events[0]!, event()]);
    await expect(mixed).rejects.toBeInstanceOf(WrongExpectedVersionError);
    expect(await readStream(stream)).toHaveLength(2);
  });

  it('writes an id again at the next revision, and twice within one append', async () => {
    const stream = randomUUID();
    const same = event();
    await append(stream, 'no_stream', [same, same]);
    await append(stream, 1n, [same]);
    expect((await readStream(stream)).map(({ id }) => id)).toEqual([same.id, same.id, same.id]);
  });

  it('hands ids back in lower case', async () => {
    const stream = randomUUID();
    const id = randomUUID();
    await append(stream, 'no_stream', [event(id.toUpperCase())]);
    expect((await readStream(stream))[0]).toMatchObject({
      id,
      data: { a: 1 },
      metadata: { b: 2 },
      isJson: true,
    });
  });

  it('counts the bytes of data, not of metadata, against its limit', async () => {
    const sized = (bytes: number) =>
      jsonEvent({
        type: 'Big',
        data: { text: 'x'.repeat(bytes - 11) },
        metadata: { note: 'y'.repeat(5_000) },
      });
    const tooLarge: unknown = await append(randomUUID(), 'any', [sized(1_048_577)]).catch(
      (reason: unknown) => reason,
    );
    expect(tooLarge).toBeInstanceOf(MaxAppendSizeExceededError);
    expect(tooLarge).toMatchObject({ maxAppendSize: 1_048_576 });
    await expect(append(randomUUID(), 'any', [sized(1_048_576)])).resolves.toMatchObject({ success: true });
  });

  it('takes an append of nothing for a success', async () => {
    const result = await append(randomUUID(), 'any', []);
    expect(result).toMatchObject({ success: true, nextExpectedRevision: 0n });
  });

  it('cannot find a missing stream, nor read no events', async () => {
    await expect(readStream(randomUUID())).rejects.toBeInstanceOf(StreamNotFoundError);
    const stream = randomUUID();
    await append(stream, 'no_stream', [event()]);
    await expect(readStream(stream, 0)).rejects.toBeInstanceOf(UnknownError);
  });

  it('begins its log with events of its own', async () => {
    const [first] = await readAll({ maxCount: 1 });
    expect(first!.event!.type).toMatch(/^\$/);
  });

  it('reads the log from a position inclusively, backwards exclusively, and from its end nothing', async () => {
    const { position } = await append(randomUUID(), 'any', [event(), event()]);
    const [at] = await readAll({ fromPosition: position!, maxCount: 1 });
    expect(at!.event!.position).toEqual(position);
    expect(at!.commitPosition).toBe(position!.commit);
    const [before] = await readAll({ fromPosition: position!, direction: 'backwards', maxCount: 1 });
    expect(before!.event!.position.commit).toBeLessThan(position!.commit);
    const beyond = { commit: position!.commit + 1_000_000_000n, prepare: position!.commit + 1_000_000_000n };
    expect(await readAll({ fromPosition: beyond })).toEqual([]);
  });

  it('has positions that are not dense, and none between two records', async () => {
    const { position } = await append(randomUUID(), 'any', [event()]);
    await append(randomUUID(), 'any', [event()]);
    const between = { commit: position!.commit + 1n, prepare: position!.commit + 1n };
    await expect(readAll({ fromPosition: between })).rejects.toBeInstanceOf(UnknownError);
  });

  it('starts a subscription behind its position, and says when it has caught up', async () => {
    const [stream, type] = [randomUUID(), `Happened-${randomUUID()}`];
    const [first, second, third] = [event(undefined, type), event(undefined, type), event(undefined, type)];
    const { position } = await append(stream, 'no_stream', [first]);
    await append(stream, 0n, [second]);
    const said: string[] = [];
    const filter = eventTypeFilter({ regex: `^${type}$` });
    const subscription = client
      .subscribeToAll({ fromPosition: position!, filter })
      .on('confirmation', () => said.push('confirmation'))
      .on('data', (resolved) => said.push(resolved.event!.id))
      .on('caughtUp', () => said.push('caughtUp'));
    await waitUntil(() => said.includes('caughtUp'));
    await append(stream, 1n, [third]);
    await waitUntil(() => said.length === 4);
    await subscription.unsubscribe();
    expect(said.filter((word) => word !== 'caughtUp')).toEqual(['confirmation', second.id, third.id]);
  });

  it('gives a filtered subscription a checkpoint after so many windows of events, matching or not', async () => {
    const { position } = await append(randomUUID(), 'any', [event()]);
    const { position: last } = await append(
      randomUUID(),
      'any',
      Array.from({ length: 20 }, () => event()),
    );
    const reached: Position[] = [];
    const filter = eventTypeFilter({
      prefixes: ['NothingIsCalledThis'],
      maxSearchWindow: 2,
      checkpointInterval: 3,
      checkpointReached: (_, checkpoint) => void reached.push(checkpoint),
    });
    const subscription = client.subscribeToAll({ fromPosition: position!, filter });
    subscription.resume();
    await new Promise<void>((resolve) => subscription.on('caughtUp', () => resolve()));
    await subscription.unsubscribe();
    expect(reached.length).toBeGreaterThanOrEqual(3);
    expect(reached.length).toBeLessThanOrEqual(5);
    expect(reached.every(({ commit }) => commit > position!.commit && commit <= last!.commit + 1_000n)).toBe(
      true,
    );
  });
});
