import type { Configuration } from '../config.js';

/** One verb of the command line. */
export interface CliCommand {
  readonly words: readonly string[];
  /** What `--help` says of it. */
  readonly summary: string;
  /** @returns what the operator is told */
  readonly run: (configuration: Configuration) => Promise<string>;
}

/** The command could not be carried out. The message is a sentence for the operator. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
}
