import { escapeAttribute, escapeText } from '../html.js';
import { parseMoment } from './moment.js';
import type { InlinePass } from './inline-parser.js';

/** `<time:…>`: a moment that every reader sees in the own time zone. */
export const parseTimes: InlinePass = (text, inline) => {
  if (!text.includes('<time:')) return text;
  return text.replace(/<time:([^>]*)>/g, (_, typed: string) => inline.stash.put(timeHtml(typed)));
};

function timeHtml(typed: string): string {
  const moment = parseMoment(typed);
  const text = escapeText(typed);
  if (moment === undefined) return `<span class="timestamp-error">Invalid time format: ${text}</span>`;
  return `<time datetime="${escapeAttribute(moment)}">${text}</time>`;
}
