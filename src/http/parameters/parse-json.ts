import { budgets } from '../../kernel/budgets.js';
import { parameterFault } from './parameter-fault.js';

/** Shorter texts parse fast enough however deeply they are nested. */
const SHORT = 1_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Parses JSON from a client. A megabyte of brackets takes the parser a hundred milliseconds, and handling
 * very many values takes as long, so the depth and the number of values are checked before.
 *
 * @param name of the parameter
 * @throws ApplicationError when it is deeper, or has more values, than the budget allows
 * @throws SyntaxError when it is not JSON
 */
export function parseJson(name: string, text: string): unknown {
  if (text.length > SHORT) assertWithinBudget(name, text);
  return JSON.parse(text) as unknown;
}

/** Counts punctuation, and stops as soon as the budget is exceeded. */
function assertWithinBudget(name: string, text: string): void {
  const { jsonDepth, jsonValues } = budgets;
  let [depth, separators] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) index = endOfString(text, index);
    else if (unit === COMMA || unit === COLON) separators += 1;
    else if (opening.has(unit)) depth += 1;
    else if (closing.has(unit)) depth -= 1;
    if (depth > jsonDepth.max) throw parameterFault(`${name} is nested too deeply`);
    if (separators >= jsonValues.max)
      throw parameterFault(`${name} holds too many values (limit: ${jsonValues.max})`);
  }
}

/**
 * Index of the quotation mark that ends the string beginning at `start`; the end of the text if there is
 * none.
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
