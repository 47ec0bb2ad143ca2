import { topLevelDomains } from '../data/top-level-domains.js';
import { safeUrl } from '../url.js';
import type { InlinePass } from './inline-parser.js';

/** What every bare address holds. */
const mayHoldAddress = /\.\S|:\/\/|bitcoin:/;
const word = /\S+/g;
/** An address begins a word, or stands behind one of these. */
const opener = /['"(,:<]/;
const closingPunctuation = /[!:;?),.'">]/;

const webScheme = /https?:\/\//y;
const webHost = /[\p{L}\p{N}_.:@-]+/uy;
const domainName = /(?:[\p{L}\p{N}_-]+\.)+([\p{L}\p{N}_-]+)/uy;
const emailAddress = /[\p{L}\p{N}_.-]+@[\p{L}\p{N}_.-]+\.[\p{L}\p{N}_]+/uy;
const bitcoinAddress = /bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}/y;

const deepestBrackets = 7;

/**
 * Addresses without any marks: with `http(s)://`, under a known top-level domain, e-mail, bitcoin. One ends its word, but
 * for punctuation; brackets belong to it as long as they come in pairs. A text that holds one loses the line end that it
 * ends with.
 */
export const parseBareLinks: InlinePass = (text, inline) => {
  if (!mayHoldAddress.test(text)) return text;
  const parsed = text.replace(word, (source) => {
    const found = findBareAddress(source);
    const url = found === undefined ? undefined : safeUrl(found.address);
    if (found === undefined || url === undefined) return source;
    const place = inline.putLink({ url, text: found.address });
    return source.slice(0, found.start) + place + source.slice(found.start + found.address.length);
  });
  return parsed === text ? text : parsed.replace(/\n$/, '');
};

/** An address in a word. */
export interface BareAddress {
  readonly start: number;
  readonly address: string;
}

/** Finds the address in a word (a text without blanks). */
export function findBareAddress(source: string): BareAddress | undefined {
  if (!mayHoldAddress.test(source)) return undefined;
  const punctuation = trailingPunctuation(source);
  for (let start = 0; start < punctuation; start += 1) {
    if (start > 0 && !opener.test(source[start - 1] ?? '')) continue;
    const end = addressEnd(source, start, punctuation);
    if (end !== undefined) return { start, address: source.slice(start, end) };
  }
  return undefined;
}

/** Where the punctuation that ends the word begins. */
function trailingPunctuation(source: string): number {
  let start = source.length;
  while (closingPunctuation.test(source[start - 1] ?? '')) start -= 1;
  return start;
}

function addressEnd(source: string, start: number, punctuation: number): number | undefined {
  const scheme = matchEnd(webScheme, source, start);
  if (scheme !== undefined) return webAddressEnd(source, scheme, punctuation);
  return domainEnd(source, start, punctuation) ?? exactEnd(source, start, punctuation);
}

function webAddressEnd(source: string, host: number, punctuation: number): number | undefined {
  const hostEnd = matchEnd(webHost, source, host);
  if (hostEnd === undefined) return undefined;
  if (source[hostEnd] === '/') return pathEnd(source, hostEnd, punctuation);
  const end = Math.max(punctuation, host + 1);
  return end <= hostEnd ? end : undefined;
}

function domainEnd(source: string, start: number, punctuation: number): number | undefined {
  domainName.lastIndex = start;
  const match = domainName.exec(source);
  if (match === null || !topLevelDomains.has(match[1] ?? '')) return undefined;
  const end = start + match[0].length;
  if (source[end] === '/') return pathEnd(source, end, punctuation);
  return end === punctuation ? end : undefined;
}

function exactEnd(source: string, start: number, punctuation: number): number | undefined {
  const end = matchEnd(emailAddress, source, start) ?? matchEnd(bitcoinAddress, source, start);
  return end === punctuation ? end : undefined;
}

/** The first place, at or behind the end of the word proper, where all brackets are closed. */
function pathEnd(source: string, slash: number, punctuation: number): number | undefined {
  let depth = 0;
  for (let index = slash + 1; index <= source.length; index += 1) {
    if (index >= punctuation && depth === 0) return index;
    const character = source[index];
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth < 0 || depth > deepestBrackets || character === '"' || character === '\u0002') return undefined;
  }
  return undefined;
}

function matchEnd(pattern: RegExp, source: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(source) ? pattern.lastIndex : undefined;
}
