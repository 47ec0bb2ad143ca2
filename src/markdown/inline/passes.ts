import { parseCode, parseFormulas, parseLineBreaks } from './verbatim.js';
import { parseStrongEmphasis, parseStrong, parseEmphasis, parseStrikethrough } from './emphasis.js';
import { parseUserMentions, parseGroupMentions } from './mention.js';
import { parseMessageLinks, parseTopicLinks, parseChannelLinks } from './channel-link.js';
import { parseTimes } from './time.js';
import { parseLinks } from './link.js';
import { parseBareLinks } from './bare-link.js';
import { parseLinkifiedTexts } from './linkifier.js';
import { parseEmojiNames, parseEmoticons, parseUnicodeEmoji } from './emoji.js';
import type { InlinePass } from './inline-parser.js';

/**
 * In order of precedence. Each pass sees what earlier ones left, so code hides mentions and a link hides stars. The API's clients expect
 * this order instead of the order of characters in the text.
 */
export const inlinePasses: readonly InlinePass[] = [
  parseCode,
  parseStrongEmphasis,
  parseUserMentions,
  parseFormulas,
  parseMessageLinks,
  parseTopicLinks,
  parseChannelLinks,
  parseTimes,
  parseGroupMentions,
  parseLinks,
  parseBareLinks,
  parseLinkifiedTexts,
  parseStrong,
  parseEmphasis,
  parseStrikethrough,
  parseEmojiNames,
  parseEmoticons,
  parseUnicodeEmoji,
  parseLineBreaks,
];
