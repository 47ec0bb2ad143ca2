import { createSecretKey, randomBytes } from 'node:crypto';
import { eventHash } from '../../../src/stores/event-store/event-hash.js';
import type { PersistedEvent } from '../../../src/stores/event-store/port.js';
import { TagKey } from '../../../src/stores/event-store/tags/event-tag.js';
import { openTemporaryStores } from '../../support/temporary-stores.js';
import { quantity, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { inRounds, median, medianRatio, secondsOf, type Samples } from '../support/rounds.js';
import { encodedSamples, STREAM } from '../support/stored-samples.js';

const MICROSECONDS = 1e6;

/** The cost of an event's tag: making it, compared to the hash that it is made from, and checking it. */
export const taggingRow: BenchRow = { name: 'tagging', measure };

async function measure({ quick }: Size): Promise<readonly Measurement[]> {
  const stores = await openTemporaryStores();
  try {
    const stored = await encodedSamples(stores.codec);
    const events = stored.map((event, index) => ({
      ...event,
      stream: STREAM,
      revision: index,
      position: index + 1,
    }));
    const rounds = quick ? 20 : 200;
    const key = new TagKey(createSecretKey(randomBytes(32)));
    const tagged = events.map((event) => withTag(event, key));
    const perEvent =
      (task: (event: PersistedEvent) => unknown, all = events) =>
      async () =>
        (await secondsOf(() => Promise.resolve(repeat(rounds, all, task)))) / (rounds * all.length);
    const samples = await inRounds(
      { count: quick ? 1 : 7, warmUp: true },
      {
        hash: perEvent((event) => eventHash(event)),
        make: perEvent(({ metadata }) => key.tagOf({ hash: metadata['hash'] as string, revision: null })),
        check: perEvent((event) => key.isWriterOf(event), tagged),
      },
    );
    return report(samples, bytesOfTag(tagged[0]!));
  } finally {
    await stores.dispose();
  }
}

function withTag(event: PersistedEvent, key: TagKey): PersistedEvent {
  const tag = key.tagOf({ hash: event.metadata['hash'] as string, revision: null });
  return { ...event, metadata: { ...event.metadata, tag } };
}

function repeat(
  rounds: number,
  events: readonly PersistedEvent[],
  task: (event: PersistedEvent) => unknown,
): void {
  for (let round = 0; round < rounds; round += 1) for (const event of events) task(event);
}

function bytesOfTag({ metadata }: PersistedEvent): number {
  const { tag: _tag, ...without } = metadata;
  return JSON.stringify(metadata).length - JSON.stringify(without).length;
}

function report(
  { hash, make, check }: Readonly<Record<'hash' | 'make' | 'check', Samples>>,
  bytes: number,
): readonly Measurement[] {
  const micro = (samples: Samples): string => quantity(median(samples) * MICROSECONDS, 'µs/event');
  const beside = { what: 'the public hash of the same event', result: micro(hash) };
  return [
    {
      what: 'make a tag',
      ours: micro(make),
      beside,
      ratio: medianRatio(make, hash),
      target: { atMost: 1 },
      work: `${bytes} bytes an event, 60 at most`,
    },
    {
      what: 'check a tag',
      ours: micro(check),
      beside,
      ratio: medianRatio(check, hash),
      target: { atMost: 2 },
      work: 'the hash is computed, too',
    },
  ];
}
