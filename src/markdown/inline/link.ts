import { inlineMedia } from '../uploaded-media.js';
import { safeUrl } from '../url.js';
import type { InlineParser, InlinePass } from './inline-parser.js';

/**
 * Pairs brackets in one pass, so that a text full of brackets costs no more than any other.
 *
 * @returns the position of the closing bracket by that of the opening one, in the order of the text
 */
function matchBrackets(text: string, opening: string, closing: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === opening) {
      open.push(index);
    } else if (character === closing) {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, index);
    }
  }
  return new Map([...pairs].sort(([one], [other]) => one - other));
}

interface Destination {
  readonly url: string;
  /** Where the text continues after the link. */
  readonly end: number;
}

/** An address, in angle brackets or without blanks and brackets, optionally followed by a title, in which brackets have no meaning. */
const simpleDestination =
  /\(\s*(?:<([^<>\n]{0,2000})>|([^\s<>"'()]+))(?:\s+(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'))?\s*\)/y;
const closingTitle = /\s(?:"[^"]*"|'[^']*')$/;

/**
 * `[text](address)`. In the text, only code and mentions are parsed; an empty text is replaced by the address. A title is dropped.
 * `![…](…)` becomes an image or player if it names such an upload, and is no link otherwise. If the address is not safe, everything stays
 * text.
 */
export const parseLinks: InlinePass = (text, inline) => {
  if (!text.includes('](')) return text;
  const labels = matchBrackets(text, '[', ']');
  const destinations = matchBrackets(text, '(', ')');
  let parsed = '';
  let end = 0;
  for (const [open, close] of labels) {
    if (open < end || text[close + 1] !== '(') continue;
    const closing = destinations.get(close + 1);
    inline.budget.spend((closing ?? close) - close);
    const destination = readDestination(text, close + 1, closing);
    if (destination === undefined) continue;
    const label = text.slice(open + 1, close);
    if (text[open - 1] === '!') {
      const shown = mediaAt(destination.url, label, inline);
      if (shown === undefined) continue;
      parsed += text.slice(end, open - 1) + shown;
      end = destination.end;
      continue;
    }
    const link = { url: destination.url, text: label.trim() === '' ? destination.url : label };
    parsed += text.slice(end, open) + inline.putLink(link);
    end = destination.end;
  }
  return parsed + text.slice(end);
};

/** The placeholder of an upload that is shown in the text; undefined: the address is no such upload, or it cannot be shown. */
function mediaAt(url: string, label: string, { references, stash }: InlineParser): string | undefined {
  const media = references.media(url);
  const html = media === undefined ? undefined : inlineMedia(url, label, media);
  return html === undefined ? undefined : stash.put(html);
}

function readDestination(text: string, open: number, close: number | undefined): Destination | undefined {
  const { typed, end } = readSimple(text, open) ?? readBalanced(text, open, close);
  // An address must not contain placeholders for finished HTML.
  const url = typed.includes('\u0002') ? undefined : safeUrl(typed);
  return url === undefined ? undefined : { url, end };
}

interface TypedDestination {
  readonly typed: string;
  readonly end: number;
}

function readSimple(text: string, open: number): TypedDestination | undefined {
  simpleDestination.lastIndex = open;
  const match = simpleDestination.exec(text);
  return match === null ? undefined : { typed: match[1] ?? match[2] ?? '', end: simpleDestination.lastIndex };
}

/** Everything up to the bracket that closes the first one; without a closing bracket there is no link. */
function readBalanced(text: string, open: number, close: number | undefined): TypedDestination {
  if (close === undefined) return { typed: '', end: open };
  const inner = text.slice(open + 1, close).trimEnd();
  return { typed: /["']$/.test(inner) ? inner.replace(closingTitle, '') : inner, end: close + 1 };
}
