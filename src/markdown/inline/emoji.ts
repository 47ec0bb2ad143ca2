import { emojiCode, emojiHtml, emojiOwnName } from '../emoji.js';
import { escapeAttribute } from '../html.js';
import type { InlineParser, InlinePass } from './inline-parser.js';

const emojiName = /:([\p{L}\p{N}_+-]+):/gu;

/** The only custom emoji that every organization has. */
const SERVICE_EMOJI_NAME = 'zulip';
const SERVICE_EMOJI_URL = '/static/generated/emoji/images/emoji/unicode/zulip.png';

/** `:name:`. Custom emoji take precedence over built-in ones. */
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
  if (name === SERVICE_EMOJI_NAME) return imageHtml(name, SERVICE_EMOJI_URL);
  const code = emojiCode(name);
  return code === undefined ? undefined : emojiHtml(code, name);
}

function imageHtml(name: string, url: string): string {
  const title = escapeAttribute(name.replaceAll('_', ' '));
  return `<img alt=":${escapeAttribute(name)}:" class="emoji" src="${escapeAttribute(url)}" title="${title}">`;
}

const namesByEmoticon: Readonly<Record<string, string>> = {
  ':)': 'smile',
  '(:': 'smile',
  ':(': 'frown',
  '<3': 'heart',
  ':|': 'neutral',
  ':/': 'confused',
  ';)': 'wink',
  ':D': 'grinning',
  ':o': 'open_mouth',
  ':O': 'open_mouth',
  ':p': 'stuck_out_tongue',
  ':P': 'stuck_out_tongue',
};

/** An emoticon must stand alone: between blanks, brackets, quotation marks and the like. */
const emoticon = /(?<![^,.;?!()[\] "'\n\t])(?::[()|/DoOpP]|\(:|<3|;\))(?![^,.;?!()[\] "'\n\t])/g;

/** Emoticons such as `:)`, where the sender's setting asks for it. */
export const parseEmoticons: InlinePass = (text, inline) => {
  if (!inline.references.translateEmoticons) return text;
  return text.replace(emoticon, (source) => {
    const name = namesByEmoticon[source] ?? '';
    const code = emojiCode(name);
    return code === undefined ? source : inline.stash.put(emojiHtml(code, name));
  });
};

/** Every emoji contains a character outside of the Basic Multilingual Plane, or one of these symbols. */
const mayHoldEmoji = /[\u2000-\u33ff\ud83c-\ud83e\u00a9\u00ae]/;

/** A flag, a keycap, or pictographs with their modifiers, joined or alone. */
const emojiSequence =
  /\p{RI}{2}|[\d#*]\ufe0f\u20e3|\p{Emoji}(?:\p{EMod}|\ufe0f)?[\u{e0020}-\u{e007f}]*(?:\u200d\p{Emoji}(?:\p{EMod}|\ufe0f)?)*/gu;

/** A character that is shown as text unless a selector or modifier says otherwise. */
const shownAsText = /^\P{Emoji_Presentation}$/u;

/** Emoji typed as characters. Characters that are text by default only become emoji by a selector or by what is joined to them. */
export const parseUnicodeEmoji: InlinePass = (text, inline) => {
  if (!mayHoldEmoji.test(text)) return text;
  return text.replace(emojiSequence, (source) => {
    if (shownAsText.test(source)) return source;
    const code = codeOf(source);
    const name = emojiOwnName(code);
    return name === undefined ? source : inline.stash.put(emojiHtml(code, name));
  });
};

function codeOf(sequence: string): string {
  return Array.from(sequence.replaceAll('\ufe0f', ''), (character) =>
    (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'),
  ).join('-');
}
