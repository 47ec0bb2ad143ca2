import { parentPort, workerData } from 'node:worker_threads';
import { openEmbeddedEventStore } from '../../../src/event-store/embedded/embedded-event-store.js';

// No timer fires here: only a message from the writer's thread can wake the subscription.
globalThis.setTimeout = (() => ({ unref: () => undefined })) as unknown as typeof setTimeout;

const { file } = workerData as { readonly file: string };
const ending = new AbortController();
const store = openEmbeddedEventStore({ file, readOnly: true });

// Keeps the thread alive too, which a waiting subscription does not.
parentPort!.on('message', () => ending.abort());

for await (const page of store.subscribeAll({ after: null, signal: ending.signal }))
  parentPort!.postMessage(page);
await store.close();
parentPort!.close();
