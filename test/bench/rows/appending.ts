import { join } from 'node:path';
import { openEmbeddedEventStore } from '../../../src/stores/event-store/embedded/embedded-event-store.js';
import type { EventStore, StoredEvent } from '../../../src/stores/event-store/port.js';
import { openTemporaryStores } from '../../support/temporary-stores.js';
import { besides, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { BareLog, bareRow } from '../support/bare-log.js';
import { inRounds, secondsOf, type Samples } from '../support/rounds.js';
import { sampleMessage } from '../support/sample-messages.js';
import { encodedSamples, eventsLike, sampleMetadata, STREAM, take } from '../support/stored-samples.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';

const CONCURRENT = 50;

/** Durable appends through the event-store port, compared to inserts of the same rows by the driver. */
export const appendingRow: BenchRow = {
  name: 'appending',
  measure: (size) => inTemporaryFolder((folder) => measure(folder, size)),
};

async function measure(folder: string, { quick }: Size): Promise<readonly Measurement[]> {
  const count = quick ? 50 : 500;
  const many = quick ? 500 : 10_000;
  const encoded = await openTemporaryStores();
  const events = eventsLike(await encodedSamples(encoded.codec));
  const store = openEmbeddedEventStore({ file: join(folder, 'ours.sqlite') });
  const bare = new BareLog(join(folder, 'bare.sqlite'));
  try {
    const samples = await inRounds(
      { count: quick ? 1 : 7, warmUp: true },
      {
        bare: () => insertBare(bare, take(events, count), 1),
        bareTogether: () => insertBare(bare, take(events, many), CONCURRENT),
        single: () => appendEach(store, take(events, count), 1),
        concurrent: () => appendEach(store, take(events, many), CONCURRENT),
        encodedSingle: () => appendSamples(encoded, count, 1),
        encodedConcurrent: () => appendSamples(encoded, many, CONCURRENT),
      },
    );
    return report(samples, { count, many });
  } finally {
    bare.close();
    await store.close();
    await encoded.dispose();
  }
}

function report(
  samples: Readonly<
    Record<'bare' | 'bareTogether' | 'single' | 'concurrent' | 'encodedSingle' | 'encodedConcurrent', Samples>
  >,
  { count, many }: { readonly count: number; readonly many: number },
): readonly Measurement[] {
  const theirs = { what: 'driver, one row a transaction', samples: samples.bare };
  const measured = (name: keyof typeof samples): ReturnType<typeof besides> =>
    besides(samples[name], theirs, { ours: 'events/s', theirs: 'rows/s' });
  const durable = 'WAL, every commit synced';
  const keys = 'a durable key for each; validated, encrypted and hashed';
  return [
    {
      what: 'append, one at a time',
      ...measured('single'),
      target: { atLeast: 0.7 },
      work: `${count} events; ${durable}`,
    },
    {
      what: `append, ${CONCURRENT} at a time`,
      ...measured('concurrent'),
      target: { atLeast: 5 },
      work: `${many} events; ${durable}, shared by those that wait`,
    },
    {
      what: `append, ${CONCURRENT} at a time`,
      ...besides(
        samples.concurrent,
        { what: `driver, ${CONCURRENT} rows a transaction`, samples: samples.bareTogether },
        { ours: 'events/s', theirs: 'rows/s' },
      ),
      target: null,
      work: `${many} events; ${durable}, shared by as many`,
    },
    {
      what: 'encode and append, one at a time',
      ...measured('encodedSingle'),
      target: null,
      work: `${count} events; ${durable}; ${keys}`,
    },
    {
      what: `encode and append, ${CONCURRENT} at a time`,
      ...measured('encodedConcurrent'),
      target: null,
      work: `${many} events; ${durable}; ${keys}`,
    },
  ];
}

type Encoding = Pick<Awaited<ReturnType<typeof openTemporaryStores>>, 'log'>;

let position = 0;

async function insertBare(bare: BareLog, events: readonly StoredEvent[], together: number): Promise<number> {
  const rows = events.map((event) => {
    position += 1;
    return bareRow({ ...event, stream: STREAM, revision: position - 1, position });
  });
  const seconds = await secondsOf(() => {
    for (let from = 0; from < rows.length; from += together)
      bare.insertTogether(rows.slice(from, from + together));
  });
  return rows.length / seconds;
}

/** Events a second when a number of callers append at the same time. */
async function appendEach(
  store: EventStore,
  events: readonly StoredEvent[],
  callers: number,
): Promise<number> {
  const seconds = await secondsOf(() =>
    inParallel(events, callers, async (event) => {
      await store.append(STREAM, 'any', [event]);
    }),
  );
  return events.length / seconds;
}

async function appendSamples({ log }: Encoding, count: number, callers: number): Promise<number> {
  const messages = Array.from({ length: count }, (_, index) =>
    sampleMessage(index, { senderId: 1, channelId: 1 }),
  );
  const seconds = await secondsOf(() =>
    inParallel(messages, callers, async (message) => {
      await log.append({ stream: STREAM, expected: 'any' }, [message], sampleMetadata());
    }),
  );
  return count / seconds;
}

/** Processes a list with a number of concurrent callers, each of which waits for a result before it continues. */
async function inParallel<Item>(
  items: readonly Item[],
  callers: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const call = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: callers }, call));
}
