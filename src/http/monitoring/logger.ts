import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { LoggerService } from '@nestjs/common';
import { destination, pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../../config.js';

export type { Logger } from 'pino';

/**
 * Buffered, because a write for every line would cost more than the line. The buffer is flushed when the
 * process exits.
 */
const bufferedOutput = { dest: 1, sync: false, minLength: 8_192, periodicFlush: 200 } as const;

/**
 * The log of the process: one JSON object a line on standard output.
 *
 * @param stream writes to this stream instead
 */
export function createLogger(
  level: LogLevel,
  stream: DestinationStream = destination(bufferedOutput),
): Logger {
  return pino({ level, timestamp: () => `,"time":"${new Date().toISOString()}"`, base: null }, stream);
}

/** Sends Nest's log lines to the same log. Its own start-up messages are at debug level. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: rest.at(-1) }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const context = rest.at(-1);
    if (message instanceof Error) this.logger.error({ err: message, context }, message.message);
    else this.logger.error({ context, ...(rest.length > 1 ? { stack: rest[0] } : {}) }, String(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: rest.at(-1) }, String(message));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: rest.at(-1) }, String(message));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.trace({ context: rest.at(-1) }, String(message));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.fatal({ context: rest.at(-1) }, String(message));
  }
}

const requestIdForm = /^[\w.:-]{1,64}$/;

/**
 * The id of a request in the log: the one that a proxy or client sent, if it is safe in a log line, else a
 * new one.
 */
export function requestId({ headers }: { readonly headers: IncomingHttpHeaders }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && requestIdForm.test(given) ? given : randomUUID();
}
