import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { printable, printableJson } from './terminal-text.js';
import { ProgressLine, type Progress } from './progress-line.js';

/** Where a command's results and messages go. */
export interface Terminal {
  /** Whether results are JSON for a program. */
  readonly json: boolean;
  /** Maximum width of a line of results; null: unlimited, because the output is not a terminal. */
  readonly columns: number | null;
  /** Whether to use colours. */
  readonly colours: boolean;
  /**
   * Writes a line of results to standard output; resolves when the stream accepts more. What a terminal would interpret is replaced, or
   * escaped in JSON.
   */
  print(line: string): Promise<void>;
  /** Writes a message to standard error. */
  say(line: string): void;
  /**
   * Shows the progress of a task on standard error: a bar on a terminal, a line now and then elsewhere.
   *
   * @param total amount to do; null: unknown
   */
  progress(label: string, total: number | null): Progress;
}

/** The terminal of this process. */
export function processTerminal({ json }: { readonly json: boolean }): Terminal {
  const { stdout, stderr } = process;
  const colours = stdout.isTTY && process.env['NO_COLOR'] === undefined;
  return {
    json,
    columns: stdout.isTTY ? stdout.columns : null,
    colours,
    print: (line) => writeLine(stdout, json ? printableJson(line) : printable(line, { colours })),
    say: (line) => void stderr.write(`${printable(line)}\n`),
    progress: (label, total) => new ProgressLine({ output: stderr, label, total }),
  };
}

async function writeLine(output: Writable, line: string): Promise<void> {
  if (!output.write(`${line}\n`)) await once(output, 'drain');
}

/** Formats rows as columns under headings. */
export function tableOf(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const all = [headings.map((heading) => heading.toUpperCase()), ...rows];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
