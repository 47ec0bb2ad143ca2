import { escapeLiteral } from '../html.js';
import type { InlinePass } from './inline-parser.js';

interface Run {
  readonly start: number;
  readonly length: number;
}

/**
 * Code: text between two runs of backticks of the same length, with its blanks kept. A run after a backslash does not open code. Of a
 * longer run, only some backticks may open code, and the others are text.
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

/** Finds closing runs. Opening runs must be passed in increasing order, so that each list is walked only once. */
class Closers {
  /** The lengths that occur, longest first. */
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

  /** The first run of exactly this length after another run. */
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

/** Before code, each pair of backslashes stands for one. */
function unescapeBackslashes(before: string): string {
  const count = backslashesBefore(before, before.length);
  return count < 2 ? before : before.slice(0, before.length - Math.floor(count / 2));
}

/** A formula needs a blank or punctuation on both sides. It must not begin with `_` or contain a placeholder for finished HTML. */
const formula = /\B(?<!\$)\$\$([^\n_$\u0002](?:\\\$|[^$\n\u0002])*)\$\$(?!\$)\B/g;

/** Formulas between `$$` and `$$`. */
export const parseFormulas: InlinePass = (text, inline) => {
  if (!text.includes('$$')) return text;
  return text.replace(formula, (_, tex: string) => inline.formulas.putInline(tex));
};

/** A line end, and the blanks after it if a placeholder for finished HTML follows. */
const lineEnd = /\n(?:[^\S\n]+(?=\u0002))?/g;

/** Every line end within a block becomes a line break. */
export const parseLineBreaks: InlinePass = (text, inline) => {
  if (!text.includes('\n')) return text;
  return text.replace(lineEnd, inline.stash.put('<br>\n'));
};
