import { plainMarkdown } from '../../markdown/written-names.js';

/** Code points of somebody else's text that a message holds. */
const longest = 8_000;

/** An address that a link may hold as it is. */
const plainAddress = /^https?:\/\/[^\s()<>[\]]+$/;

/** A link, or the text alone where the address is none that a link could hold. */
export function link(text: string, address: string | null | undefined): string {
  const label = plainMarkdown(text.slice(0, longest));
  return address != null && plainAddress.test(address) ? `[${label}](${address})` : label;
}

/** A text in a fence that nothing in it closes. */
export function fenced(language: string, text: string): string {
  const shown = text.slice(0, longest);
  const run = Math.max(2, ...Array.from(shown.matchAll(/`+/g), ([found]) => found.length));
  const fence = '`'.repeat(run + 1);
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** The beginning of a text, on one line. */
export function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').trim();
}
