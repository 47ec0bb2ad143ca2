import { parentPort, workerData } from 'node:worker_threads';
import { openEmbeddedEventStore } from '../../../src/stores/event-store/embedded/embedded-event-store.js';
import { standIn } from '../../support/stand-in.js';

// No timer fires here: only a message from the writer's thread can wake the subscription.
globalThis.setTimeout = standIn<typeof setTimeout>(() => ({ unref: () => undefined }));

const { file } = workerData as { readonly file: string };
const ending = new AbortController();
const store = openEmbeddedEventStore({ file, readOnly: true });

// Keeps the thread alive too, which a waiting subscription does not.
parentPort!.on('message', () => ending.abort());

for await (const page of store.subscribeAll({ after: null, signal: ending.signal }))
  parentPort!.postMessage(page);
await store.close();
parentPort!.close();
