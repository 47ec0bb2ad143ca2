import { escapeAttribute } from '../html.js';
import { parseMoment } from './moment.js';
import type { InlineParser, InlinePass } from './inline-parser.js';

/** `<time:…>`: a moment that every reader sees in the own time zone. What is no moment stays as it was typed. */
export const parseTimes: InlinePass = (text, inline) => {
  if (!text.includes('<time:')) return text;
  // Written so that marks which nothing closes are not searched again and again.
  const last = text.lastIndexOf('>') + 1;
  const parsed = text
    .slice(0, last)
    .replace(/<time:([^>]*)>/g, (source: string, typed: string) => timePlace(typed, inline) ?? source);
  return parsed + text.slice(last);
};

function timePlace(typed: string, { stash }: InlineParser): string | null {
  const moment = parseMoment(typed);
  if (moment === undefined) return null;
  return stash.put(`<time datetime="${escapeAttribute(moment)}">${stash.toHtml(typed)}</time>`);
}
