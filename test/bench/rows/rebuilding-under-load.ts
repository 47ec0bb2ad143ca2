import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { quantity, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { serveArchive } from '../support/archive.js';
import { useConstantly } from '../support/constant-use.js';
import { JudgedClient, p99, type Interval } from '../support/judged-client.js';
import { secondsOf } from '../support/rounds.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';

/**
 * Rebuilding every model while people write and read continuously and check for what they just wrote. A request
 * that fails, or a reply that is older than what its client knows, is an error.
 */
export const rebuildingUnderLoadRow: BenchRow = {
  name: 'rebuilding-under-load',
  measure: (size) => inTemporaryFolder((folder) => measure(folder, size)),
};

async function measure(folder: string, { quick }: Size): Promise<readonly Measurement[]> {
  const messages = quick ? 2_000 : 200_000;
  const quiet = quick ? 1_000 : 10_000;
  const { product, owner, channelId } = await serveArchive(folder, messages);
  const client = new JudgedClient(owner);
  const stop = new AbortController();
  try {
    const { messages: oldest } = await owner.must('get', 'messages', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 1,
      narrow: [
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: 'subject 0' },
      ],
    });
    const channel = { channelId, firstId: oldest[0].id as number, messages };
    const use = useConstantly(client, channel, stop.signal);
    await pause(quiet);
    const before = client.takeInterval();
    const seconds = await secondsOf(() => rebuildAll(folder));
    const meanwhile = client.takeInterval();
    await pause(quiet);
    stop.abort();
    await use;
    const intervals = [before, meanwhile, client.takeInterval()];
    assertFaultless(intervals);
    return [measurement({ messages, seconds, before, meanwhile })];
  } finally {
    stop.abort();
    await product.stop();
  }
}

const tool = fileURLToPath(new URL('../../../src/cli/main.js', import.meta.url));

/** Rebuilds as an operator does, while the server runs. */
async function rebuildAll(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, [tool, 'projections', 'rebuild', '--all'], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: folder },
  });
}

/** @throws Error that lists the first failures */
function assertFaultless(intervals: readonly Interval[]): void {
  const failed = intervals.flatMap((interval) => interval.failed);
  const stale = intervals.flatMap((interval) => interval.stale);
  if (failed.length + stale.length === 0) return;
  const first = [...failed.slice(0, 5), ...stale.slice(0, 5)].join('\n');
  throw new Error(`${failed.length} requests failed and ${stale.length} answers were stale:\n${first}`);
}

function measurement({
  messages,
  seconds,
  before,
  meanwhile,
}: {
  readonly messages: number;
  readonly seconds: number;
  readonly before: Interval;
  readonly meanwhile: Interval;
}): Measurement {
  const requests = meanwhile.latencies.length.toLocaleString('en');
  return {
    what: 'p99 of requests while every model is rebuilt',
    ours: quantity(p99(meanwhile), 'ms'),
    beside: { what: 'before', result: quantity(p99(before), 'ms') },
    ratio: p99(meanwhile) / p99(before),
    target: null,
    work: `${messages.toLocaleString('en')} messages, rebuilt in ${quantity(seconds, 's')}; ${requests} requests of 5 clients meanwhile, 0 failed, 0 stale`,
  };
}
