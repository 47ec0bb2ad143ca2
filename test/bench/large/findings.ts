/** One line of the report. */
export interface Finding {
  readonly what: string;
  /** Includes the unit. */
  readonly result: string;
  /** The rows that reader threads read for the first request; absent: they were not counted. */
  readonly rows?: number;
  /** The bystanders' results meanwhile; empty: there were no bystanders. */
  readonly others: string;
  /** A sentence for each bound that was missed. */
  readonly missed: readonly string[];
  /** A sentence for what had to succeed and did not, which no bound excuses; absent: everything did. */
  readonly failed?: string;
}

/** Whether every bound was kept, and whether everything succeeded that had to. */
export interface Verdict {
  readonly isWithin: boolean;
  readonly hasSucceeded: boolean;
}

export function verdictOf(findings: readonly Finding[]): Verdict {
  const hasSucceeded = findings.every(({ failed }) => failed === undefined);
  return { isWithin: hasSucceeded && findings.every(({ missed }) => missed.length === 0), hasSucceeded };
}

/** Bounds in milliseconds and megabytes. */
export interface Bounds {
  /** For requests that an index answers: the first one and the later ones. */
  readonly first: number;
  readonly warm: number;
  /** For the requests of a page of the console. */
  readonly console: number;
  /** How much longer bystanders may wait than when nobody else uses the server. */
  readonly othersLonger: number;
  /** Of the server before the commands of operators, one of which rebuilds every read model; and in the end. */
  readonly memory: number;
  readonly memoryInTheEnd: number;
  /** The size of the log and of the messages model, in bytes per message. */
  readonly logBytes: number;
  readonly modelBytes: number;
}

/**
 * The bounds to be kept. For a machine that is slow or busy, times are multiplied by the tolerance; memory and
 * sizes are not.
 */
export function boundsWith(tolerance: number): Bounds {
  return {
    first: 50 * tolerance,
    warm: 20 * tolerance,
    console: 100 * tolerance,
    othersLonger: 50 * tolerance,
    memory: 600,
    memoryInTheEnd: 850,
    logBytes: 660,
    modelBytes: 2_000,
  };
}

/** The findings as a Markdown table. */
export function findingsTable(findings: readonly Finding[]): string {
  const headings = ['what', 'result', 'rows', 'the others meanwhile', 'bounds'];
  const rows = findings.map((finding) => {
    const { what, result, rows, others } = finding;
    return [what, result, rows?.toString() ?? '', others, sentencesOf(finding).join('; ')];
  });
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(headings), rule, ...rows.map(line)].join('\n');
}

/** What is to be said of a finding besides its result. */
export function sentencesOf({ failed, missed }: Finding): readonly string[] {
  return failed === undefined ? missed : [`FAILED: ${failed}`, ...missed];
}

/** A sentence if a value exceeds its bound; otherwise nothing. */
export function missedBound(what: string, value: number, atMost: number): readonly string[] {
  return value > atMost ? [`MISSED: ${what} is to be at most ${rounded(atMost)}`] : [];
}

/** A number with at most three significant digits. */
export function rounded(value: number): string {
  return numbers.format(value);
}

const numbers = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
