import type { InlinePass } from './inline-parser.js';

/** `***both***`: no blanks at the inner edges. */
export const parseStrongEmphasis: InlinePass = (text, inline) => {
  if (!text.includes('***')) return text;
  return text.replace(/\*{3}(?!\s)([^*^\n]+)(?<!\s)\*{3}/g, (_, inner: string) =>
    inline.stash.put(`<strong><em>${inline.innerHtml(inner)}</em></strong>`),
  );
};

/** `**strong**`: anything on one line up to the next two stars. */
export const parseStrong: InlinePass = (text, inline) => {
  if (!text.includes('**')) return text;
  let parsed = '';
  let end = 0;
  for (let start = text.indexOf('**'); start !== -1; start = text.indexOf('**', start)) {
    const lineEnd = endOfLine(text, start);
    const close = text.indexOf('**', start + 3);
    if (close === -1 || close > lineEnd) {
      start = lineEnd;
      continue;
    }
    const inner = inline.innerHtml(text.slice(start + 2, close));
    parsed += text.slice(end, start) + inline.stash.put(`<strong>${inner}</strong>`);
    start = end = close + 2;
  }
  return parsed + text.slice(end);
};

/** `*emphasis*`: no blanks at the inner edges, no other star within. */
export const parseEmphasis: InlinePass = (text, inline) => {
  if (!text.includes('*')) return text;
  return text.replace(/\*(?!\s)([^*^\n]+)(?<!\s)\*/g, (_, inner: string) =>
    inline.stash.put(`<em>${inline.innerHtml(inner)}</em>`),
  );
};

/** `~~deleted~~`: no other tilde within. */
export const parseStrikethrough: InlinePass = (text, inline) => {
  if (!text.includes('~~')) return text;
  return text.replace(/(?<!~)~~([^~\n]+)~~(?!~)/g, (_, inner: string) =>
    inline.stash.put(`<del>${inline.innerHtml(inner)}</del>`),
  );
};

function endOfLine(text: string, from: number): number {
  const index = text.indexOf('\n', from);
  return index === -1 ? text.length : index;
}
