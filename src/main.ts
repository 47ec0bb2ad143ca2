import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { readConfiguration, unknownVariables } from './config.js';
import { createLogger } from './http/monitoring/logger.js';
import { explain } from './runtime/operator-errors.js';

/** How long requests in flight may take when the server is asked to stop, in milliseconds. */
const timeout = 10_000;

/**
 * How much of garbage the collector lets gather, in percent of what is in use. By default it waits for several times as much:
 * two threads then keep 50 MB of nothing. Threads that start later take it over. What is young has a bound of its own on the
 * command line of `npm start`, because it can only be set there, as has what collects it: on two cores, threads that help each
 * other with that cost four times what they save.
 */
const GARBAGE_PERCENT = 25;

/** Threads that start later have bounds of their own for what is young. */
const NO_BOUND_FOR_ALL_THREADS = ['--min-semi-space-size=0', '--max-semi-space-size=0'];

async function main(): Promise<void> {
  const configuration = readConfiguration(process.env);
  // What is wrong with the configuration is said before the whole application is loaded.
  const { start } = await import('./node/start.js');
  for (const flag of [`--heap-growing-percent=${GARBAGE_PERCENT}`, ...NO_BOUND_FOR_ALL_THREADS]) {
    setFlagsFromString(flag);
  }
  const logger = createLogger(configuration.logLevel);
  for (const sentence of unknownVariables(process.env)) logger.warn({}, sentence);
  const server = await start(configuration, logger);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      logger.info({ signal }, 'Stopping');
      server.stop(timeout).then(
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
