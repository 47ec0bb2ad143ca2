/** The logger of the engine: a subset of pino's interface. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Discards everything. */
export const silentLogger: Logger = { info() {}, warn() {}, error() {} };
