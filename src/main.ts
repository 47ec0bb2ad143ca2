import 'reflect-metadata';
import { ConfigurationError, readConfiguration } from './config.js';
import { DataDirectoryInUseError } from './data-directory-lock.js';
import { createLogger } from './http/operations/logger.js';
import { ServerKeyError } from './key-store/server-key.js';
import { serve } from './serve.js';

/** Faults that the operator can mend: told in a sentence, without a stack. */
const operatorErrors = [ConfigurationError, DataDirectoryInUseError, ServerKeyError];

/** How long requests in flight may take when the server is asked to stop, in milliseconds. */
const patience = 10_000;

async function main(): Promise<void> {
  const configuration = readConfiguration(process.env);
  const logger = createLogger(configuration.logLevel);
  const server = await serve(configuration, logger);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      logger.info({ signal }, 'Stopping');
      server.stop(patience).then(
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
  const isOperators = operatorErrors.some((type) => error instanceof type);
  process.stderr.write(
    `${isOperators ? (error as Error).message : String((error as Error).stack ?? error)}\n`,
  );
  process.exit(1);
});
