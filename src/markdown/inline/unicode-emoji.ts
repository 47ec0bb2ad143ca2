import { emojiHtml, emojiOwnName } from '../emoji.js';
import type { InlinePass } from './inline-parser.js';

/** Every emoji holds a character from beyond these, or one of the symbols from U+2000 on. */
const mayHoldEmoji = /[\u2000-\u33ff\ud83c-\ud83e\u00a9\u00ae]/;

/** A flag, a keycap, or pictographs with their modifiers, joined or alone. */
const emojiSequence =
  /\p{RI}{2}|[\d#*]\ufe0f\u20e3|\p{Emoji}(?:\p{EMod}|\ufe0f)?[\u{e0020}-\u{e007f}]*(?:\u200d\p{Emoji}(?:\p{EMod}|\ufe0f)?)*/gu;

/** A character that is text by default, with nothing that says or implies otherwise. */
const shownAsText = /^\P{Emoji_Presentation}$/u;

/** Emoji typed as characters. Those that are text by default stay so unless a selector or what is joined to them makes them emoji. */
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
