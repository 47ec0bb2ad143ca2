import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { readConfiguration, unknownVariables } from './config.js';
import { createLogger } from './http/monitoring/logger.js';
import { explain } from './runtime/operator-errors.js';

/** How long requests in flight may take when the server is asked to stop, in milliseconds. */
const TIMEOUT = 10_000;

/**
 * How much the heap may grow before garbage is collected, in percent of what is in use. V8's default is several
 * times as high, which in two threads wastes 50 MB. Threads that start later inherit the value.
 *
 * The size of the young generation, and whether several threads collect it, are set on the command line of
 * `npm start`, because they can only be set there. On two cores, collecting with several threads costs four times
 * what it saves.
 */
const GARBAGE_PERCENT = 25;

/**
 * Removes the command line's limit of the young generation for threads that start later: they have limits of their
 * own.
 */
const noBoundForAllThreads = ['--min-semi-space-size=0', '--max-semi-space-size=0'];

async function main(): Promise<void> {
  const configuration = readConfiguration(process.env);
  // The configuration is read before the application is loaded, so that errors in it are reported quickly.
  const { start } = await import('./node/start.js');
  for (const flag of [`--heap-growing-percent=${GARBAGE_PERCENT}`, ...noBoundForAllThreads]) {
    setFlagsFromString(flag);
  }
  const logger = createLogger(configuration.logLevel);
  for (const sentence of unknownVariables(process.env)) logger.warn({}, sentence);
  const server = await start(configuration, logger);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      logger.info({ signal }, 'Stopping');
      server.stop(TIMEOUT).then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'The server could not stop in order');
          process.exit(1);
        },
      );
    });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
