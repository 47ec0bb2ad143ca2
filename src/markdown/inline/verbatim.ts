import { escapeLiteral } from '../html.js';
import type { InlinePass } from './inline-parser.js';

interface Run {
  readonly start: number;
  readonly length: number;
}

/**
 * Text between two equal runs of backticks, kept to the blank. An opening run behind a backslash is none; a longer run
 * may open with some of its backticks only, and the others are text.
 */
export const parseCode: InlinePass = (text, inline) => {
  if (!text.includes('`')) return text;
  const runs = findRuns(text);
  const closers = new Closers(runs);
  let parsed = '';
  let end = 0;
  for (const run of runs) {
    if (run.start < end) continue;
    const opener = findOpener(run, text, closers);
    if (opener === undefined) continue;
    const { start, length, closer } = opener;
    const code = text.slice(start + length, closer.start);
    parsed +=
      unescapeBackslashes(text.slice(end, start)) + inline.stash.put(`<code>${escapeLiteral(code)}</code>`);
    end = closer.start + length;
  }
  return parsed + text.slice(end);
};

interface Opener extends Run {
  readonly closer: Run;
}

function findOpener(run: Run, text: string, closers: Closers): Opener | undefined {
  const escaped = backslashesBefore(text, run.start) % 2 === 1;
  const start = escaped ? run.start + 1 : run.start;
  const available = escaped ? run.length - 1 : run.length;
  for (const length of closers.lengths) {
    const closer = length <= available ? closers.after(run, length) : undefined;
    if (closer !== undefined) return { start, length, closer };
  }
  return undefined;
}

function findRuns(text: string): readonly Run[] {
  return Array.from(text.matchAll(/`+/g), (match) => ({ start: match.index, length: match[0].length }));
}

/** Finds closing runs. Openers are asked for in rising order, so that every list is walked once. */
class Closers {
  /** The lengths that occur, the longest first. */
  readonly lengths: readonly number[];
  readonly #byLength = new Map<number, Run[]>();

  constructor(runs: readonly Run[]) {
    for (const run of runs.toReversed()) {
      const same = this.#byLength.get(run.length);
      if (same === undefined) this.#byLength.set(run.length, [run]);
      else same.push(run);
    }
    this.lengths = [...this.#byLength.keys()].sort((one, other) => other - one);
  }

  /** The first run of exactly this length behind another run. */
  after(opener: Run, length: number): Run | undefined {
    const candidates = this.#byLength.get(length) ?? [];
    while ((candidates.at(-1)?.start ?? Infinity) <= opener.start) candidates.pop();
    return candidates.at(-1);
  }
}

function backslashesBefore(text: string, end: number): number {
  let start = end;
  while (text[start - 1] === '\\') start -= 1;
  return end - start;
}

/** Backslashes in front of code come in pairs there, and each pair means one. */
function unescapeBackslashes(before: string): string {
  const count = backslashesBefore(before, before.length);
  return count < 2 ? before : before.slice(0, before.length - Math.floor(count / 2));
}

/** What a blank or punctuation stands on both sides of; it neither begins with `_` nor holds finished HTML. */
const formula = /\B(?<!\$)\$\$([^\n_$\u0002](?:\\\$|[^$\n\u0002])*)\$\$(?!\$)\B/g;

/** Formulas between `$$` and `$$`. */
export const parseFormulas: InlinePass = (text, inline) => {
  if (!text.includes('$$')) return text;
  return text.replace(formula, (_, tex: string) => inline.formulas.putInline(tex));
};

/** The end of a line, with the blanks behind it where nothing but these parts it from finished HTML. */
const lineEnd = /\n(?:[^\S\n]+(?=\u0002))?/g;

/** Every end of a line within a block is a line break. */
export const parseLineBreaks: InlinePass = (text, inline) => {
  if (!text.includes('\n')) return text;
  return text.replace(lineEnd, inline.stash.put('<br>\n'));
};
