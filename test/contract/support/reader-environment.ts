import { setTimeout as delay } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { failure } from '../../../src/kernel/errors.js';
import { Connection } from '../../../src/stores/read-store/embedded/connection.js';
import { InterruptibleReader } from '../../../src/stores/read-store/embedded/interruptible-reader.js';
import { DirectReader } from '../../../src/stores/read-store/embedded/row-reader.js';
import type { ReadControl } from '../../../src/stores/read-store/port.js';
import type { ReaderEnvironment } from '../../../src/reader-threads/reader-protocol.js';

/** What the threads of a test are given. */
export interface TestReaderConfiguration {
  /** A SQLite file. */
  readonly file: string;
  /** Held tasks go on as soon as its first number is not 0. */
  readonly latch: SharedArrayBuffer;
  /** How often texts, models and names were forgotten, over all threads. */
  readonly forgotten: SharedArrayBuffer;
  /** Counts the threads that load, of which all but the first wait for the latch; absent: none waits. */
  readonly loading?: SharedArrayBuffer;
}

const ENDLESS =
  'WITH RECURSIVE one(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM one) SELECT count(*) FROM one';

/** Called by the threads of a test: does what tests of the pool need. */
export async function openReaderEnvironment(
  { file, latch, forgotten, loading }: TestReaderConfiguration,
  control: ReadControl,
): Promise<ReaderEnvironment> {
  const connection = Connection.openToRead(file);
  const reader = InterruptibleReader.open(file, new DirectReader(connection), control);
  const held = new Int32Array(latch);
  const forgetting = new Int32Array(forgotten);
  if (loading !== undefined && Atomics.add(new Int32Array(loading), 0, 1) > 0)
    while (Atomics.load(held, 0) === 0) await delay(1);
  let position = -1;
  const perform = async (kind: string, input: unknown): Promise<unknown> => {
    switch (kind) {
      case 'echo':
        return { input, threadId, position };
      case 'hold':
        while (Atomics.load(held, 0) === 0) await delay(1);
        return threadId;
      case 'read':
        for (const rows of input as readonly number[]) control.rowsRead(rows);
        return null;
      case 'refuse':
        throw failure('badNarrow', { desc: 'unknown operator' });
      case 'fail':
        throw new Error('A fault');
      case 'die':
        setImmediate(() => {
          throw new Error('Dead');
        });
        return new Promise(() => {});
      case 'exhaust memory': {
        const kept: number[][] = [];
        for (;;) kept.push(new Array<number>(1_000_000).fill(kept.length + 0.5));
      }
      case 'endless statement':
        return reader.row(ENDLESS, []);
      case 'endless loop':
        for (;;);
      default:
        throw new Error(`No such task: ${kind}`);
    }
  };
  return {
    catchUp: (wanted: number) => {
      position = Math.max(position, wanted);
      return Promise.resolve();
    },
    perform: async ({ kind, input, asReply }) => {
      const result = await perform(kind, input);
      return asReply
        ? { result: null, reply: new TextEncoder().encode(JSON.stringify(result)) }
        : { result, reply: null };
    },
    forgetTexts: () => void Atomics.add(forgetting, 0, 1),
    forgetModels: () => void Atomics.add(forgetting, 1, 1),
    forgetNames: () => void Atomics.add(forgetting, 2, 1),
  };
}
