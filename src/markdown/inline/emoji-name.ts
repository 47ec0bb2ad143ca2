import { escapeAttribute } from '../html.js';
import { emojiCode, emojiHtml } from '../emoji.js';
import type { InlineParser, InlinePass } from './inline-parser.js';

const emojiName = /:([\p{L}\p{N}_+-]+):/gu;

/** The one custom emoji that every organization has. */
const serviceEmojiName = 'zulip';
const serviceEmojiUrl = '/static/generated/emoji/images/emoji/unicode/zulip.png';

/** `:name:`, custom emoji before built-in ones. */
export const parseEmojiNames: InlinePass = (text, inline) => {
  const colon = text.indexOf(':');
  if (colon === -1 || !text.includes(':', colon + 1)) return text;
  return text.replace(emojiName, (source, name: string) => {
    const html = namedEmojiHtml(name, inline);
    return html === undefined ? source : inline.stash.put(html);
  });
};

function namedEmojiHtml(name: string, { references }: InlineParser): string | undefined {
  const custom = references.emoji(name);
  if (custom !== undefined) return imageHtml(name, custom.url);
  if (name === serviceEmojiName) return imageHtml(name, serviceEmojiUrl);
  const code = emojiCode(name);
  return code === undefined ? undefined : emojiHtml(code, name);
}

function imageHtml(name: string, url: string): string {
  const title = escapeAttribute(name.replaceAll('_', ' '));
  return `<img alt=":${escapeAttribute(name)}:" class="emoji" src="${escapeAttribute(url)}" title="${title}">`;
}
