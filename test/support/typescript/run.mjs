/**
 * Runs a TypeScript file without a build, in a process (`node run.mjs FILE [ARGUMENT...]`) or in a worker thread
 * (`workerData.run` is the file's URL).
 */
import { register } from 'node:module';
import { resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { isMainThread, workerData } from 'node:worker_threads';

register('./hooks.mjs', import.meta.url);

if (isMainThread) process.argv.splice(1, 1);
await import(isMainThread ? pathToFileURL(resolve(process.argv[1])).href : workerData.run);
