import { escapeAttribute } from '../html.js';
import { parseMoment } from './moment.js';
import type { InlineParser, InlinePass } from './inline-parser.js';

/** `<time:…>`: a time that every reader sees in the own time zone. An invalid time stays text. */
export const parseTimes: InlinePass = (text, inline) => {
  if (!text.includes('<time:')) return text;
  // Ends the search at the last `>`, so that unclosed marks are not searched repeatedly.
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
