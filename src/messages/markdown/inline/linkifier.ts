import { safeUrl } from '../url.js';
import type { InlinePass } from './inline-parser.js';

/** What may stand before and after a text that a linkifier matched. */
const before = /[\s\u0085\p{Z}'"(,:<]/u;
const after = /[\p{L}\p{N}]/u;

/** Texts that the organization's linkifiers matched when the message was written. */
export const parseLinkifiedTexts: InlinePass = (text, inline) => {
  const { linkified } = inline.references;
  if (linkified.length === 0) return text;
  return linkified.reduce((parsed, { text: matched, url }) => {
    const safe = safeUrl(url);
    return safe === undefined
      ? parsed
      : replaceStanding(parsed, matched, () => inline.putLink({ url: safe, text: matched }));
  }, text);
};

function replaceStanding(text: string, matched: string, replacement: () => string): string {
  if (matched === '' || matched.includes('\u0002')) return text;
  let parsed = '';
  let end = 0;
  for (let start = text.indexOf(matched); start !== -1; start = text.indexOf(matched, start)) {
    if (standsAlone(text, start, matched.length)) {
      parsed += text.slice(end, start) + replacement();
      start = end = start + matched.length;
    } else {
      start += 1;
    }
  }
  return parsed + text.slice(end);
}

function standsAlone(text: string, start: number, length: number): boolean {
  const next = text.codePointAt(start + length);
  if (start > 0 && !before.test(text[start - 1] ?? '')) return false;
  return next === undefined || !after.test(String.fromCodePoint(next));
}
