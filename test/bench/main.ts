import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { measureLarge, type LargeOptions } from './large/large.js';
import { appendingRow } from './rows/appending.js';
import { memoryRow } from './rows/memory.js';
import { movingRow } from './rows/moving.js';
import { readingRow } from './rows/reading.js';
import { realTimeRow } from './rows/real-time.js';
import { rebuildingRow } from './rows/rebuilding.js';
import { rebuildingUnderLoadRow } from './rows/rebuilding-under-load.js';
import { sendingRow } from './rows/sending.js';
import { sendsRow } from './rows/sends.js';
import { shortcutsRow } from './rows/shortcuts.js';
import { subscribersRow } from './rows/subscribers.js';
import { taggingRow } from './rows/tagging.js';
import { onEventStoreDbRow } from './servers/on-eventstoredb.js';
import { onMongoDbRow } from './servers/on-mongodb.js';
import { reaches, tolerant, type BenchRow, type Measurement, type Size } from './measurement.js';
import { soak, type SoakOptions } from './soak/soak.js';
import { tableOf } from './table.js';

const rows: readonly BenchRow[] = [
  appendingRow,
  taggingRow,
  sendingRow,
  sendsRow,
  readingRow,
  movingRow,
  rebuildingRow,
  rebuildingUnderLoadRow,
  subscribersRow,
  realTimeRow,
  memoryRow,
  shortcutsRow,
];

/** The product on database servers compared to embedded stores: measured instead with `--stores servers`. */
const serverRows: readonly BenchRow[] = [onEventStoreDbRow, onMongoDbRow];

/** Measured only by name, because it takes many minutes, and gigabytes in `var/bench`. */
const LARGE = 'large';

/** Measured only by name, because it takes an hour. */
const SOAK = 'soak';

const USAGE = `npm run bench -- [rows...] [options]

Rows: ${rows.map(({ name }) => name).join(', ')} (all of them unless some are named), ${LARGE}, or ${SOAK}.

  --stores servers the product on servers beside the product on embedded stores instead: ${serverRows.map(({ name }) => name).join(', ')};
                   on the stand-in of EventStoreDB, unless EVENTSTORE_URL names one whose log is empty;
                   on the MongoDB that MONGODB_URL names, in a database that is made for it. With ${LARGE}: that on them
  --quick          sizes that only show that everything runs
  --check          exit with 1 where a target is missed (${LARGE}: a refused page or task always does)
  --size N         ${LARGE}: so many messages (1000000)
  --minutes N      ${SOAK}: for so long (60)
  --rate N         ${SOAK}: so many requests a second (20)
  --tolerance N    times may be so many times as long, and ratios so many times as bad (1)
  --memory-tolerance N  ${SOAK}: the growth of memory above 1 may be so many times as much (1); --tolerance is for latency alone
  --help
`;

/**
 * Measures the product and, in the same run, baselines that do only the unavoidable work, and prints a table. The
 * ratios matter: absolute figures depend on the machine.
 */
async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: {
      stores: { type: 'string', default: 'embedded' },
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      size: { type: 'string', default: '1000000' },
      minutes: { type: 'string', default: '60' },
      rate: { type: 'string', default: '20' },
      tolerance: { type: 'string', default: '1' },
      'memory-tolerance': { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(USAGE);
  const measurable = rowsOn(values.stores);
  const isOnServers = measurable === serverRows;
  if (isOnServers && names.includes(SOAK))
    throw new Error(`${SOAK} takes servers from EVENTSTORE_URL and MONGODB_URL, without --stores`);
  const unknown = names.find(
    (name) => name !== LARGE && name !== SOAK && !measurable.some((row) => row.name === name),
  );
  if (unknown !== undefined) throw new Error(`There is no row ${unknown}.\n${USAGE}`);
  await warnOfMemoryDisk();
  const tolerance = numberOf(values.tolerance, 'tolerance');
  const isReached = names.includes(LARGE)
    ? await printLarge({ messages: numberOf(values.size, 'size'), isOnServers, tolerance })
    : true;
  const isFlat = names.includes(SOAK)
    ? await printSoak({
        minutes: numberOf(values.minutes, 'minutes'),
        rate: numberOf(values.rate, 'rate'),
        tolerances: { memory: numberOf(values['memory-tolerance'], 'memory-tolerance'), latency: tolerance },
      })
    : true;
  const chosen = measurable.filter(({ name }) => names.length === 0 || names.includes(name));
  const isAllReached = (await printRows(chosen, { quick: values.quick, tolerance })) && isReached && isFlat;
  if (values.check && !isAllReached) process.exitCode = 1;
}

function rowsOn(stores: string): readonly BenchRow[] {
  if (stores === 'embedded') return rows;
  if (stores === 'servers') return serverRows;
  throw new Error(`--stores is embedded or servers, not ${stores}`);
}

/** Returns whether every bound was kept. Something that had to succeed and did not fails the run in any case. */
async function printLarge(options: LargeOptions): Promise<boolean> {
  const { report, isWithin, hasSucceeded } = await measureLarge(options);
  process.stdout.write(`${report}\n`);
  if (!hasSucceeded) process.exitCode = 1;
  return isWithin;
}

/** Returns whether memory and latency stayed flat. */
async function printSoak(options: SoakOptions): Promise<boolean> {
  const { report, isFlat } = await soak(options);
  process.stdout.write(`${report}\n`);
  return isFlat;
}

/** Returns whether every target was reached. */
async function printRows(
  chosen: readonly BenchRow[],
  { quick, tolerance }: Size & { readonly tolerance: number },
): Promise<boolean> {
  const measurements: Measurement[] = [];
  for (const row of chosen) {
    process.stderr.write(`Measuring ${row.name} …\n`);
    const measured = await row.measure({ quick });
    measurements.push(...measured.map((measurement) => tolerant(measurement, tolerance)));
  }
  if (measurements.length > 0) process.stdout.write(`${tableOf(measurements)}\n`);
  return measurements.every((measurement) => reaches(measurement) !== false);
}

/** The type number of a Linux file system in memory. */
const TMPFS = 0x01021994;

/** Warns when the folder is in memory, where a sync costs nothing and figures of durable writes mean nothing. */
async function warnOfMemoryDisk(): Promise<void> {
  const { type } = await statfs(tmpdir());
  if (type !== TMPFS) return;
  process.stderr.write(
    `${tmpdir()} is in memory: nothing is synced to a disk there. Set TMPDIR to a folder on one.\n`,
  );
}

function numberOf(text: string, name: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} is a number above 0, not ${text}`);
  return value;
}

await main();
