import { openEmbeddedEventStore } from '../../../src/stores/event-store/embedded/embedded-event-store.js';

/** Prints the id of every event until its standard input closes, which also keeps it alive. */
const ending = new AbortController();
process.stdin.on('end', () => ending.abort()).resume();

const store = openEmbeddedEventStore({ file: process.argv[2]!, readOnly: true });
for await (const { events } of store.subscribeAll({ after: null, signal: ending.signal })) {
  for (const { id } of events) process.stdout.write(`${id}\n`);
}
await store.close();
