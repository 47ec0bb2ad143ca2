/** What the engine needs of a log: pino's own shape, so that a pino logger fits as it is. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Says nothing. */
export const silentLogger: Logger = { info() {}, warn() {}, error() {} };
