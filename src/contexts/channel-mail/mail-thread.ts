import { parentPort, workerData } from 'node:worker_threads';
import { readMail } from './read-mail.js';

/** The thread of one mail: it is started with the bytes and answers with what they say. */
parentPort?.postMessage(await readMail(Buffer.from(workerData as Uint8Array)));
