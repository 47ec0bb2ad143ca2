import { parentPort, workerData } from 'node:worker_threads';
import { openEmbeddedReadStore } from '../../../src/stores/read-store/embedded/embedded-read-store.js';
import { generationBatch, openGenerations } from './read-store-generations.js';

// Opens the model as soon as it starts, so that threads race for making it, and writes as many generations as it is told to.
const { directory } = workerData as { readonly directory: string };
const store = openEmbeddedReadStore({ directory });
const model = await openGenerations(store);
parentPort!.postMessage('opened');

parentPort!.once('message', (generations: number) => {
  void (async () => {
    for (let generation = 1; generation <= generations; generation++) {
      await model.commit(generationBatch(generation));
    }
    await store.close();
    parentPort!.postMessage('written');
  })();
});
