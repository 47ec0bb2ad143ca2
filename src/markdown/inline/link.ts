import { safeUrl } from '../url.js';
import { inlineMedia } from '../uploaded-media.js';
import { matchBrackets } from './brackets.js';
import type { InlineParser, InlinePass } from './inline-parser.js';

interface Destination {
  readonly url: string;
  /** Where the text goes on behind the link. */
  readonly end: number;
}

/** An address, in angle brackets or without blanks and brackets, then perhaps a title in which brackets mean nothing. */
const simpleDestination =
  /\(\s*(?:<([^<>\n]{0,2000})>|([^\s<>"'()]+))(?:\s+(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'))?\s*\)/y;
const closingTitle = /\s(?:"[^"]*"|'[^']*')$/;

/**
 * `[text](address)`. Of the text only code and mentions are parsed; without a text the address stands for it. A title
 * behind the address is dropped. What looks like an image (`![…](…)`) is one, or a player, where it names such an upload; else it
 * is no link either. An address that is not safe leaves all of it as text.
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

/** What stands for an upload that is shown; undefined: it is none, or nobody can show it. */
function mediaAt(url: string, label: string, { references, stash }: InlineParser): string | undefined {
  const media = references.media(url);
  const html = media === undefined ? undefined : inlineMedia(url, label, media);
  return html === undefined ? undefined : stash.put(html);
}

function readDestination(text: string, open: number, close: number | undefined): Destination | undefined {
  const { typed, end } = readSimple(text, open) ?? readBalanced(text, open, close);
  // A place of finished HTML has no business in an address.
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

/** Anything up to the bracket that closes the first; none means that there is no link. */
function readBalanced(text: string, open: number, close: number | undefined): TypedDestination {
  if (close === undefined) return { typed: '', end: open };
  const inner = text.slice(open + 1, close).trimEnd();
  return { typed: /["']$/.test(inner) ? inner.replace(closingTitle, '') : inner, end: close + 1 };
}
