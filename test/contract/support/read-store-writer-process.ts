import { openEmbeddedReadStore } from '../../../src/stores/read-store/embedded/embedded-read-store.js';
import { generationBatch, openGenerations } from './read-store-generations.js';

// Writes generations until it is killed, naming each once it is committed.
const directory = process.argv.at(-1)!;
const store = openEmbeddedReadStore({ directory });
const model = await openGenerations(store);
const { position } = await model.checkpoint();
for (let generation = (position ?? 0) + 1; ; generation++) {
  await model.commit(generationBatch(generation));
  await new Promise((resolve) => process.stdout.write(`${generation}\n`, resolve));
}
