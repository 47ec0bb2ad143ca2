import { parentPort, workerData } from 'node:worker_threads';
import { readMail } from './read-mail.js';

/** A thread for one mail: it gets the bytes as `workerData` and posts the parsed mail. */
parentPort?.postMessage(await readMail(Buffer.from(workerData as Uint8Array)));
