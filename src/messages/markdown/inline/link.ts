import { safeUrl } from '../url.js';
import { matchBrackets } from './brackets.js';
import type { InlinePass } from './inline-parser.js';

interface Destination {
  readonly url: string;
  /** Where the text goes on behind the link. */
  readonly end: number;
}

const bracketedDestination = /\(\s*<([^<>]*)>\s*(?:'[^']*'|"[^"]*")?\s*\)/y;
const titleMark = /\s(["'])/;

/**
 * `[text](address)`. Of the text only code and mentions are parsed; without a text the address stands for it. A title behind
 * the address is dropped; what looks like an image (`![…](…)`) is none, and no link either. An address that is not safe leaves all of it as text.
 */
export const parseLinks: InlinePass = (text, inline) => {
  if (!text.includes('](')) return text;
  const labels = matchBrackets(text, '[', ']');
  const destinations = matchBrackets(text, '(', ')');
  let parsed = '';
  let end = 0;
  for (const [open, close] of labels) {
    if (open < end || text[close + 1] !== '(' || text[open - 1] === '!') continue;
    const destination = readDestination(text, close + 1, destinations.get(close + 1));
    if (destination === undefined) continue;
    const label = text.slice(open + 1, close);
    const link = { url: destination.url, text: label.trim() === '' ? destination.url : label };
    parsed += text.slice(end, open) + inline.putLink(link);
    end = destination.end;
  }
  return parsed + text.slice(end);
};

function readDestination(text: string, open: number, close: number | undefined): Destination | undefined {
  const { typed, end } = readBracketed(text, open) ?? readTitled(text, open) ?? readPlain(text, open, close);
  // A place of finished HTML has no business in an address.
  const url = typed.includes('\u0002') ? undefined : safeUrl(typed);
  return url === undefined ? undefined : { url, end };
}

interface TypedDestination {
  readonly typed: string;
  readonly end: number;
}

function readBracketed(text: string, open: number): TypedDestination | undefined {
  bracketedDestination.lastIndex = open;
  const match = bracketedDestination.exec(text);
  return match === null ? undefined : { typed: match[1] ?? '', end: bracketedDestination.lastIndex };
}

/** An address and a title in quotation marks, within which brackets mean nothing. */
function readTitled(text: string, open: number): TypedDestination | undefined {
  const lineEnd = text.indexOf('\n', open);
  const line = text.slice(open + 1, lineEnd === -1 ? text.length : lineEnd);
  const title = titleMark.exec(line);
  if (title === null || line.lastIndexOf(')', title.index) > line.lastIndexOf('(', title.index))
    return undefined;
  const quote = title[1] ?? '';
  for (
    let index = line.indexOf(quote, title.index + 2);
    index !== -1;
    index = line.indexOf(quote, index + 1)
  ) {
    const closing = /^\s*\)/.exec(line.slice(index + 1));
    if (closing !== null)
      return { typed: line.slice(0, title.index), end: open + 1 + index + 1 + closing[0].length };
  }
  return undefined;
}

function readPlain(text: string, open: number, close: number | undefined): TypedDestination {
  return close === undefined
    ? { typed: '', end: open }
    : { typed: text.slice(open + 1, close), end: close + 1 };
}
