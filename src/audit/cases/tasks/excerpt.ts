/** Length of an excerpt in UTF-16 units, without the ellipses. */
const LENGTH = 240;

/** How many of these units precede the first match. */
const BEFORE = 80;

/** Returns the part of a text around the first match of the words; a short text is returned as a whole. */
export function excerptOf(text: string, query: string): string {
  if (text.length <= LENGTH) return text;
  const lower = text.toLowerCase();
  const places = [...query.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)]
    // The search matches words with other endings too, so only the beginning of a word is looked for.
    .map(([word]) => lower.indexOf(word.length > 5 ? word.slice(0, -2) : word))
    .filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = Math.max(0, Math.min(first - BEFORE, text.length - LENGTH));
  const cut = text.slice(from, from + LENGTH).toWellFormed();
  return `${from > 0 ? '…' : ''}${cut}${from + LENGTH < text.length ? '…' : ''}`;
}
