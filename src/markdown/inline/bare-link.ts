import domains from '../data/top-level-domains.json' with { type: 'json' };
import { safeUrl } from '../url.js';
import { RenderBudget } from '../render-budget.js';
import type { InlineParser, InlinePass } from './inline-parser.js';

/**
 * Top-level domains of the IANA root zone that make a bare `name.domain` a link, without those that are mostly endings of file names (java,
 * md, mov, py, zip). Raise the renderer's version when this list changes.
 */
const topLevelDomains: ReadonlySet<string> = new Set(domains);

/** Every bare address contains one of these. */
const mayHoldAddress = /\.\S|:\/\/|bitcoin:/;
const word = /\S+/g;
/** An address must be at the beginning of a word or after one of these. */
const opener = /['"(,:<]/;
const closingPunctuation = /[!:;?),.'">]/;

const webScheme = /https?:\/\//y;
const webHost = /[\p{L}\p{N}_.:@-]+/uy;
const domainName = /(?:[\p{L}\p{N}_-]+\.)+([\p{L}\p{N}_-]+)/uy;
const emailAddress = /[\p{L}\p{N}_.-]+@[\p{L}\p{N}_.-]+\.[\p{L}\p{N}_]+/uy;
const bitcoinAddress = /bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}/y;

const DEEPEST_BRACKETS = 7;

/**
 * Links of bare addresses: `http(s)://`, a known top-level domain, e-mail, bitcoin. The address extends to the end of the word without
 * trailing punctuation; balanced brackets belong to it. A text that contains an address loses its final line end.
 */
export const parseBareLinks: InlinePass = (text, inline) => {
  if (!mayHoldAddress.test(text)) return text;
  const parsed = text.replace(word, (source, at: number) => {
    const found = findBareAddress(withoutClosingMark(source, { text, at, inline }), inline.budget);
    const url = found === undefined ? undefined : safeUrl(found.address);
    if (found === undefined || url === undefined) return source;
    const place = inline.putLink({ url, text: found.address });
    return source.slice(0, found.start) + place + source.slice(found.start + found.address.length);
  });
  return parsed === text ? text : parsed.replace(/\n$/, '');
};

/** A mark that closes emphasis or strikethrough at the end of a word. */
const closingMark = /(\*{1,3}|~~)[!:;?),.'">]*$/;

/** A word without the closing mark of emphasis, if the emphasis was opened earlier in the line. */
function withoutClosingMark(
  source: string,
  { text, at, inline }: { readonly text: string; readonly at: number; readonly inline: InlineParser },
): string {
  const closing = closingMark.exec(source);
  if (closing === null || !mayHoldAddress.test(source)) return source;
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
  inline.budget.spend(line.length);
  const marks = line.split(closing[1] ?? '').length - 1;
  return marks % 2 === 1 ? source.slice(0, closing.index) : source;
}

/** An address found in a word. */
interface BareAddress {
  readonly start: number;
  readonly address: string;
}

/**
 * Finds the address in a word (a text without blanks).
 *
 * @throws ApplicationError `unrenderableText` when the search exceeds the budget
 */
export function findBareAddress(source: string, budget = new RenderBudget()): BareAddress | undefined {
  if (!mayHoldAddress.test(source)) return undefined;
  const word: Word = { source, punctuation: trailingPunctuation(source), budget };
  for (let start = 0; start < word.punctuation; start += 1) {
    if (start > 0 && !opener.test(source[start - 1] ?? '')) continue;
    const end = addressEnd(word, start);
    if (end !== undefined) return { start, address: source.slice(start, end) };
  }
  return undefined;
}

interface Word {
  readonly source: string;
  /** Where the trailing punctuation begins. */
  readonly punctuation: number;
  readonly budget: RenderBudget;
}

function trailingPunctuation(source: string): number {
  let start = source.length;
  while (closingPunctuation.test(source[start - 1] ?? '')) start -= 1;
  return start;
}

function addressEnd(word: Word, start: number): number | undefined {
  const scheme = matchEnd(webScheme, word.source, start);
  if (scheme !== undefined) return webAddressEnd(word, scheme);
  return domainEnd(word, start) ?? exactEnd(word, start);
}

function webAddressEnd(word: Word, host: number): number | undefined {
  const hostEnd = matchEnd(webHost, word.source, host);
  if (hostEnd === undefined) return undefined;
  if (word.source[hostEnd] === '/') return pathEnd(word, hostEnd);
  const end = Math.max(word.punctuation, host + 1);
  return end <= hostEnd ? end : undefined;
}

function domainEnd(word: Word, start: number): number | undefined {
  domainName.lastIndex = start;
  const match = domainName.exec(word.source);
  if (match === null || !topLevelDomains.has(match[1] ?? '')) return undefined;
  const end = start + match[0].length;
  if (word.source[end] === '/') return pathEnd(word, end);
  return end === word.punctuation ? end : undefined;
}

function exactEnd({ source, punctuation }: Word, start: number): number | undefined {
  const end = matchEnd(emailAddress, source, start) ?? matchEnd(bitcoinAddress, source, start);
  return end === punctuation ? end : undefined;
}

/** The first position, at or after the end of the address proper, at which all brackets are closed. */
function pathEnd({ source, punctuation, budget }: Word, slash: number): number | undefined {
  let depth = 0;
  for (let index = slash + 1; index <= source.length; index += 1) {
    if (index >= punctuation && depth === 0) return index;
    // One word may contain many possible beginnings of addresses, each of which is read to the end.
    budget.spend(1);
    const character = source[index];
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth < 0 || depth > DEEPEST_BRACKETS || character === '"' || character === '\u0002')
      return undefined;
  }
  return undefined;
}

function matchEnd(pattern: RegExp, source: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(source) ? pattern.lastIndex : undefined;
}
