/** One line of the report. */
export interface Finding {
  readonly what: string;
  /** With its unit. */
  readonly result: string;
  /** How others fared meanwhile; empty where nobody was there. */
  readonly others: string;
  /** Each bound that was missed, in words; empty: none was, or there is none. */
  readonly missed: readonly string[];
}

/** Bounds in milliseconds and megabytes. */
export interface Bounds {
  /** For what an index answers, the first time and then. */
  readonly first: number;
  readonly warm: number;
  /** For what is on the screen of the console. */
  readonly console: number;
  /** How much longer others may wait than when they are by themselves. */
  readonly othersLonger: number;
  readonly memory: number;
  /** Bytes of the log and of the messages' model for each message. */
  readonly logBytes: number;
  readonly modelBytes: number;
}

/**
 * What is to be reached. On a machine that is slower, or has other work to do, times may be so many times as long; what is
 * counted stays as it is.
 */
export function boundsWith(tolerance: number): Bounds {
  return {
    first: 50 * tolerance,
    warm: 20 * tolerance,
    console: 100 * tolerance,
    othersLonger: 50 * tolerance,
    memory: 600,
    logBytes: 660,
    modelBytes: 2_000,
  };
}

/** The findings as a Markdown table. */
export function findingsTable(findings: readonly Finding[]): string {
  const headings = ['what', 'result', 'the others meanwhile', 'bounds'];
  const rows = findings.map(({ what, result, others, missed }) => [what, result, others, missed.join('; ')]);
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(headings), rule, ...rows.map(line)].join('\n');
}

/** What is missed of a bound; nothing where it is kept. */
export function missedBound(what: string, value: number, atMost: number): readonly string[] {
  return value > atMost ? [`MISSED: ${what} is to be at most ${rounded(atMost)}`] : [];
}

/** A figure with three digits that count. */
export function rounded(value: number): string {
  return numbers.format(value);
}

const numbers = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
