import { escapeAttribute } from '../html.js';
import { parseMoment } from './moment.js';
import type { InlineParser, InlinePass } from './inline-parser.js';

/** `<time:…>`: a moment that every reader sees in the own time zone. */
export const parseTimes: InlinePass = (text, inline) => {
  if (!text.includes('<time:')) return text;
  // Written so that marks which nothing closes are not searched again and again.
  const last = text.lastIndexOf('>') + 1;
  const parsed = text
    .slice(0, last)
    .replace(/<time:([^>]*)>/g, (_, typed: string) => inline.stash.put(timeHtml(typed, inline)));
  return parsed + text.slice(last);
};

function timeHtml(typed: string, { stash }: InlineParser): string {
  const moment = parseMoment(typed);
  const text = stash.toHtml(typed);
  if (moment === undefined) return `<span class="timestamp-error">Invalid time format: ${text}</span>`;
  return `<time datetime="${escapeAttribute(moment)}">${text}</time>`;
}
