import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { ProgressLine, type Progress } from './progress-line.js';

/** Where a command's results and remarks go. */
export interface Terminal {
  /** Whether results are written for a program to read. */
  readonly json: boolean;
  /** Columns that a line of results may take; null: as many as it likes, because no person watches. */
  readonly columns: number | null;
  /** Whether colours tell a reader anything. */
  readonly colours: boolean;
  /** Writes a line of results on standard output; resolves when the reader has room for more. */
  print(line: string): Promise<void>;
  /** Says something beside the results, on standard error. */
  say(line: string): void;
  /**
   * Shows how far something has come that may take a while, beside the results: a bar where a person watches, now and then a
   * line elsewhere.
   *
   * @param total how much there is to do; null: unknown
   */
  progress(label: string, total: number | null): Progress;
}

/** The terminal of this process. */
export function processTerminal({ json }: { readonly json: boolean }): Terminal {
  const { stdout, stderr } = process;
  return {
    json,
    columns: stdout.isTTY ? stdout.columns : null,
    colours: stdout.isTTY && process.env['NO_COLOR'] === undefined,
    print: (line) => writeLine(stdout, line),
    say: (line) => void stderr.write(`${line}\n`),
    progress: (label, total) => new ProgressLine({ output: stderr, label, total }),
  };
}

async function writeLine(output: Writable, line: string): Promise<void> {
  if (!output.write(`${line}\n`)) await once(output, 'drain');
}
