import katex from 'katex';
import { budgets } from '../kernel/budgets.js';
import { escapeLiteral } from './html.js';

/** How a formula stands in a text: within a line, or in lines of its own. */
export type FormulaPlacement = 'inline' | 'display';

/** How far braces, delimiters, environments and switches of style may lie within each other. */
const deepestNesting = 15;

/**
 * With definitions a short formula could stand for one that never ends; without them the work follows from the length.
 * And formulas have nothing to say to whoever runs the server.
 */
const refused =
  /\\(?:[gex]?def|let|futurelet|newcommand|renewcommand|providecommand|global|long|show|message|errmessage)(?![A-Za-z@])/;

/** Sizes that a formula names, in em, and what it may make of itself: it stands among what others say. */
const sizes = { maxSize: 20, maxExpand: 300 };

/** What of a formula takes as long to set as several letters: what parts the cells of arrays and diagrams, and primes. */
const costlyMark = /[&@']|\\\\/g;
const costlyMarkLength = 6;

/** How long a formula counts as: its characters, with those that are costly counted several times. */
export function formulaCost(tex: string): number {
  return tex.length + (costlyMarkLength - 1) * (tex.match(costlyMark)?.length ?? 0);
}

/**
 * One formula as HTML, or null for what is no TeX, and for what is too large to be set quickly.
 *
 * Pure: the bounds see to it that the outcome never depends on how much time or stack there is.
 */
export function formulaHtml(tex: string, placement: FormulaPlacement): string | null {
  if (formulaCost(tex) > budgets.formula.max || refused.test(tex) || nestingOf(tex) > deepestNesting)
    return null;
  const options = { displayMode: placement === 'display', strict: 'ignore', ...sizes } as const;
  try {
    return silently(() => katex.renderToString(tex, options));
  } catch {
    return null;
  }
}

/** The library warns of every character that it has no measures of: what people wrote is not for the server's log. */
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

/** What stands in place of a formula that cannot be set. */
export function formulaError(source: string): string {
  return `<span class="tex-error">${escapeLiteral(source)}</span>`;
}

/** Commands after which everything to the end of the group lies one level deeper. */
const switches =
  '(?:rm|sf|tt|bf|it|cal|color|tiny|sixptsize|scriptsize|footnotesize|small|normalsize|large|Large|LARGE|huge|Huge' +
  '|displaystyle|textstyle|scriptstyle|scriptscriptstyle)(?![A-Za-z@])';
const nestingMark = new RegExp(
  `\\\\(?:(?<opening>(?:left|begin)(?![A-Za-z@]))|(?<closing>(?:right|end)(?![A-Za-z@]))|(?<switching>${switches})` +
    '|[^])|[{}]',
  'g',
);

/** How deep the formula nests, at least as deep as the library will recurse. */
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
    if (deepest > deepestNesting) break;
  }
  return deepest;
}
