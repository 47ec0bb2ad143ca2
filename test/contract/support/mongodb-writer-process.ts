import { connectMongoReadStore } from '../../../src/stores/read-store/mongodb/mongo-read-store.js';
import { addition, openSums } from './mongodb-sums.js';

// Takes a model over and commits a batch: by the address and the token on its command line.
const [, , url = '', token = ''] = process.argv;
const store = await connectMongoReadStore({ url });
const sums = await openSums(store);
await sums.fence(Number(token));
await sums.commit(addition(Number(token)));
await store.close();
