import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbeddedEventStore } from '../../../src/stores/event-store/embedded/embedded-event-store.js';
import type { EventStore } from '../../../src/stores/event-store/port.js';
import { eventsOf, someEvent } from './event-store-events.js';

/** What happened on a small file system; printed as JSON. */
export interface FullDiskReport {
  readonly acknowledged: number;
  readonly refusals: readonly { readonly name: string; readonly written: unknown }[];
  readonly readWhileFull: number;
  readonly acknowledgedWithRoom: number;
  readonly revisionsAfterReopening: readonly number[];
}

const directory = process.argv[2]!;
const file = join(directory, 'log.sqlite');
const ballast = join(directory, 'ballast');

/** Appends until refused; answers how many were acknowledged, and with what it was refused. */
async function appendUntilRefused(
  store: EventStore,
): Promise<{ count: number; refusal: FullDiskReport['refusals'][0] }> {
  for (let count = 0; ; count += 1) {
    try {
      await store.append('messages', 'any', [someEvent('Written', { text: 'x'.repeat(5_000) })]);
    } catch (error) {
      const { name, written } = error as { name: string; written: unknown };
      return { count, refusal: { name, written } };
    }
  }
}

await writeFile(ballast, Buffer.alloc(500_000, 1));
const store = openEmbeddedEventStore({ file });
const first = await appendUntilRefused(store);
const second = await appendUntilRefused(store);
const readWhileFull = (await eventsOf(store.readAll({ after: null }))).length;
await rm(ballast);
const third = await appendUntilRefused(store);
await store.close();

const reopened = openEmbeddedEventStore({ file });
const events = await eventsOf(reopened.readAll({ after: null }));
await reopened.close();
const report: FullDiskReport = {
  acknowledged: first.count + second.count,
  refusals: [first.refusal, second.refusal, third.refusal],
  readWhileFull,
  acknowledgedWithRoom: third.count,
  revisionsAfterReopening: events.map((event) => event.revision),
};
process.stdout.write(JSON.stringify(report));
