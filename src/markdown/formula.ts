import katex from 'katex';
import { budgets } from '../kernel/budgets.js';
import { escapeLiteral } from './html.js';

/** Whether a formula stands within a line or in lines of its own. */
export type FormulaPlacement = 'inline' | 'display';

/** Maximum nesting of braces, delimiters, environments and style switches. */
const DEEPEST_NESTING = 15;

/**
 * Definitions are refused because a short formula could then expand without end; without them, the work is limited by the length. Commands
 * that write to the server's console are refused too.
 */
const refused =
  /\\(?:[gex]?def|let|futurelet|newcommand|renewcommand|providecommand|global|long|show|message|errmessage)(?![A-Za-z@])/;

/** Maximum size of elements, in em, and maximum number of macro expansions: a formula is shown among other people's messages. */
const sizes = { maxSize: 20, maxExpand: 300 };

/** Parts of a formula that take as long to typeset as several letters: cell separators of arrays and diagrams, and primes. */
const costlyMark = /[&@']|\\\\/g;
const COSTLY_MARK_LENGTH = 6;

/** The length of a formula with its costly characters counted several times. */
export function formulaCost(tex: string): number {
  return tex.length + (COSTLY_MARK_LENGTH - 1) * (tex.match(costlyMark)?.length ?? 0);
}

/**
 * Renders one formula as HTML. Null: it is not valid TeX, or it is too large to be typeset quickly.
 *
 * Pure: because of the limits, the result never depends on the available time or stack.
 */
export function formulaHtml(tex: string, placement: FormulaPlacement): string | null {
  if (formulaCost(tex) > budgets.formula.max || refused.test(tex) || nestingOf(tex) > DEEPEST_NESTING)
    return null;
  const options = { displayMode: placement === 'display', strict: 'ignore', ...sizes } as const;
  try {
    return silently(() => katex.renderToString(tex, options));
  } catch {
    return null;
  }
}

/** The library logs a warning for every character without font metrics. Texts of people must not get into the server's log. */
function silently<Result>(act: () => Result): Result {
  const output: Pick<Console, 'warn'> = console;
  const { warn } = output;
  output.warn = () => undefined;
  try {
    return act();
  } finally {
    output.warn = warn;
  }
}

/** What is shown instead of a formula that cannot be rendered. */
export function formulaError(source: string): string {
  return `<span class="tex-error">${escapeLiteral(source)}</span>`;
}

/** Commands that put everything up to the end of the group one level deeper. */
const SWITCHES =
  '(?:rm|sf|tt|bf|it|cal|color|tiny|sixptsize|scriptsize|footnotesize|small|normalsize|large|Large|LARGE|huge|Huge' +
  '|displaystyle|textstyle|scriptstyle|scriptscriptstyle)(?![A-Za-z@])';
const nestingMark = new RegExp(
  `\\\\(?:(?<opening>(?:left|begin)(?![A-Za-z@]))|(?<closing>(?:right|end)(?![A-Za-z@]))|(?<switching>${SWITCHES})` +
    '|[^])|[{}]',
  'g',
);

/** The nesting depth of a formula: an upper bound of the library's recursion. */
function nestingOf(tex: string): number {
  const switchesAtDepth = [0];
  let deepest = 0;
  for (const { 0: mark, groups } of tex.matchAll(nestingMark)) {
    if (mark === '{' || groups?.['opening'] !== undefined) switchesAtDepth.push(0);
    else if (mark === '}' || groups?.['closing'] !== undefined) {
      if (switchesAtDepth.length > 1) switchesAtDepth.pop();
    } else if (groups?.['switching'] !== undefined) {
      switchesAtDepth.push((switchesAtDepth.pop() ?? 0) + 1);
    }
    const depth = switchesAtDepth.length - 1 + switchesAtDepth.reduce((sum, count) => sum + count, 0);
    deepest = Math.max(deepest, depth);
    if (deepest > DEEPEST_NESTING) break;
  }
  return deepest;
}
