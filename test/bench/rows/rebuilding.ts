import Database from 'libsql';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { engineTiming } from '../../../projections/engine/timing.js';
import { messagesProjection } from '../../../projections/messages.projection.js';
import { expand } from '../../../src/stores/event-store/embedded/shorthand.js';
import type { EventLog } from '../../../src/stores/event-store/event-log.js';
import { renderMarkdown } from '../../../src/markdown/render.js';
import { openEmbeddedReadStore } from '../../../src/stores/read-store/embedded/embedded-read-store.js';
import { openTemporaryStores, type TemporaryStores } from '../../support/temporary-stores.js';
import { quantity, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { copyModel } from '../support/bare-model.js';
import { inRounds, median, medianRatio, secondsOf, type Samples } from '../support/rounds.js';
import { writeConversation, type SampleMessage } from '../support/sample-messages.js';
import { rebuildModel } from '../../support/rebuild-model.js';

/** Rebuilding the messages model from the log, compared to the unavoidable parts of that work, each measured alone. */
export const rebuildingRow: BenchRow = { name: 'rebuilding', measure };

async function measure({ quick }: Size): Promise<readonly Measurement[]> {
  const events = quick ? 5_000 : 200_000;
  const stores = await openTemporaryStores();
  try {
    await writeConversation(stores.log, { senderId: 1, channelId: 1 }, events);
    const rebuilding = new Rebuilding(stores);
    const seconds = await inRounds(
      { count: 2, warmUp: false },
      {
        reading: () => secondsOf(() => readAndParse(join(stores.directory, 'events.sqlite'))),
        decoding: () => rebuilding.decode(),
        rendering: () => rebuilding.render(),
        rebuild: () => rebuilding.rebuild(),
        inserting: () => rebuilding.insert(),
      },
    );
    return report(seconds, events);
  } finally {
    await stores.dispose();
  }
}

type Part = 'reading' | 'decoding' | 'rendering' | 'inserting';

function report(
  seconds: Readonly<Record<Part | 'rebuild', Samples>>,
  events: number,
): readonly Measurement[] {
  const { rebuild, decoding, rendering, inserting } = seconds;
  const parts = rebuild.map((_, round) => decoding[round]! + rendering[round]! + inserting[round]!);
  const rate = (samples: Samples): string => quantity(events / median(samples), 'events/s');
  const work = `${events.toLocaleString('en')} events; batches of ${engineTiming.batch.events}, each in one transaction with its checkpoint`;
  const beside = (what: string, theirs: Samples): Pick<Measurement, 'ours' | 'beside' | 'ratio'> => ({
    ours: rate(rebuild),
    beside: { what, result: rate(theirs) },
    ratio: medianRatio(theirs, rebuild),
  });
  return [
    {
      what: 'rebuild the messages',
      ...beside('all its parts, each alone', parts),
      target: { atLeast: 0.6 },
      work: `${work}; parts: decoding ${rate(decoding)}, rendering ${rate(rendering)}, inserting ${rate(inserting)}`,
    },
    {
      what: 'rebuild the messages',
      ...beside('driver and JSON.parse, reading the log', seconds.reading),
      target: null,
      work,
    },
    {
      what: 'rebuild the messages',
      ...beside('driver, inserting the same documents', inserting),
      target: null,
      work,
    },
  ];
}

/** A log to rebuild from, and the parts of a rebuild. */
class Rebuilding {
  private readonly messages: SampleMessage['data'][] = [];
  private built = 0;

  constructor(private readonly stores: TemporaryStores) {}

  /** Reads and decrypts the log; returns the seconds. */
  async decode(): Promise<number> {
    this.messages.length = 0;
    return secondsOf(async () => {
      for await (const events of decoded(this.stores.log)) {
        for (const { data } of events) this.messages.push(data as SampleMessage['data']);
      }
    });
  }

  render(): Promise<number> {
    return secondsOf(() => {
      for (const { content, references } of this.messages) renderMarkdown(content, references);
    });
  }

  async rebuild(): Promise<number> {
    const { log, directory } = this.stores;
    this.built += 1;
    const readStore = openEmbeddedReadStore({ directory: join(directory, `built-${this.built}`) });
    const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const options = { processName: 'bench', logger: quiet, signal: new AbortController().signal };
    try {
      return await secondsOf(async () => {
        await rebuildModel({ log, readStore }, messagesProjection, options);
      });
    } finally {
      await readStore.close();
    }
  }

  /** Inserts the documents of the last built model; returns the seconds. */
  async insert(): Promise<number> {
    const { directory } = this.stores;
    const folder = join(directory, `built-${this.built}`);
    const [file] = (await readdir(folder)).filter((name) => /^messages__v\d+\.sqlite$/.test(name));
    if (file === undefined) throw new Error('There is no model to copy');
    return copyModel(join(folder, file), join(folder, 'copy.sqlite')).seconds;
  }
}

async function* decoded(log: EventLog): AsyncGenerator<Awaited<ReturnType<EventLog['decode']>>> {
  const { pageSize } = engineTiming;
  for await (const page of log.store.readAll({
    after: null,
    types: Object.keys(messagesProjection.on),
    pageSize,
  })) {
    yield await log.decode(page.events);
  }
}

/** The cost of reading and parsing the log without the product's code. */
function readAndParse(file: string): void {
  const database = new Database(file, { readonly: true });
  const select = database
    .prepare(
      'SELECT position, stream, revision, id, type, data, metadata FROM events WHERE position > ? LIMIT 2000',
    )
    .raw();
  for (let position = 0; ;) {
    const rows = select.all(position) as [number, string, number, string, string, string, string][];
    for (const row of rows) [row[5], row[6]].map((text) => JSON.parse(expand(text, row[3])) as object);
    const last = rows.at(-1);
    if (last === undefined) break;
    [position] = last;
  }
  database.close();
}
