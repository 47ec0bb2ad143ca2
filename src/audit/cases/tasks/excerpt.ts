/** UTF-16 units of an excerpt, beside the marks that it is one. */
const LENGTH = 240;

/** How much of them stands before what was found. */
const BEFORE = 80;

/** The part of a text around the first of some words; one that is short is the whole. */
export function excerptOf(text: string, query: string): string {
  if (text.length <= LENGTH) return text;
  const lower = text.toLowerCase();
  const places = [...query.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)]
    // Words are found whatever their endings: the beginning tells where.
    .map(([word]) => lower.indexOf(word.length > 5 ? word.slice(0, -2) : word))
    .filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = Math.max(0, Math.min(first - BEFORE, text.length - LENGTH));
  const cut = text.slice(from, from + LENGTH).toWellFormed();
  return `${from > 0 ? '…' : ''}${cut}${from + LENGTH < text.length ? '…' : ''}`;
}
