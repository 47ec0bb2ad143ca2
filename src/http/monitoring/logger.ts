import type { LoggerService } from '@nestjs/common';
import { destination, type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../../config.js';

export type { Logger } from 'pino';

/** A write for every line would cost more than the line. What is still held is written when the process exits. */
const BUFFERED = { dest: 1, sync: false, minLength: 8_192, periodicFlush: 200 } as const;

/**
 * The log of the process: one JSON object a line on standard output.
 *
 * @param stream where the lines go instead
 */
export function createLogger(level: LogLevel, stream: DestinationStream = destination(BUFFERED)): Logger {
  return pino({ level, timestamp: () => `,"time":"${new Date().toISOString()}"`, base: null }, stream);
}

/** Lets Nest write to the same log. What it says of its own start is of interest to developers only. */
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
