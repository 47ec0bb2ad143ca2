import { appendingRow } from './rows/appending.js';
import { memoryRow } from './rows/memory.js';
import { movingRow } from './rows/moving.js';
import { readingRow } from './rows/reading.js';
import { realTimeRow } from './rows/real-time.js';
import { rebuildingRow } from './rows/rebuilding.js';
import { rebuildingUnderLoadRow } from './rows/rebuilding-under-load.js';
import { sendingRow } from './rows/sending.js';
import { subscribersRow } from './rows/subscribers.js';
import type { BenchRow, Measurement } from './measurement.js';
import { tableOf } from './table.js';

const rows: readonly BenchRow[] = [
  appendingRow,
  sendingRow,
  readingRow,
  movingRow,
  rebuildingRow,
  rebuildingUnderLoadRow,
  subscribersRow,
  realTimeRow,
  memoryRow,
];

/**
 * Measures what the product does beside what it cannot do without, in one run, and prints one table. The ratios count; the
 * absolute figures are those of the machine.
 *
 * Arguments: names of rows (none: all), and `--quick` for sizes that only show that everything runs.
 */
async function main(options: readonly string[]): Promise<void> {
  const quick = options.includes('--quick');
  const names = options.filter((option) => !option.startsWith('--'));
  const unknown = names.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) {
    throw new Error(`There is no row ${unknown}: name any of ${rows.map(({ name }) => name).join(', ')}`);
  }
  const measurements: Measurement[] = [];
  for (const row of rows) {
    if (names.length > 0 && !names.includes(row.name)) continue;
    process.stderr.write(`Measuring ${row.name} …\n`);
    measurements.push(...(await row.measure({ quick })));
  }
  process.stdout.write(`${tableOf(measurements)}\n`);
}

await main(process.argv.slice(2));
