import { escapeAttribute } from '../html.js';
import type { Formulas } from '../formulas.js';
import type { ReferenceSource } from '../references.js';
import type { RenderBudget } from '../render-budget.js';
import type { Stash } from '../stash.js';
import { parseCode } from './code.js';
import { parseStrongEmphasis, parseStrong, parseEmphasis, parseStrikethrough } from './emphasis.js';
import { parseFormulas } from './formula.js';
import { parseUserMentions, parseGroupMentions } from './mention.js';
import { parseMessageLinks, parseTopicLinks, parseChannelLinks } from './channel-link.js';
import { parseTimes } from './time.js';
import { parseLinks } from './link.js';
import { parseBareLinks } from './bare-link.js';
import { parseLinkifiedTexts } from './linkifier.js';
import { parseEmojiNames } from './emoji-name.js';
import { parseEmoticons } from './emoticon.js';
import { parseUnicodeEmoji } from './unicode-emoji.js';
import { parseLineBreaks } from './line-break.js';

/**
 * One pass over a text: replaces whatever it recognises by places of finished HTML and leaves the rest to the passes after
 * it. A pass must cost next to nothing on a text without its characters.
 */
export type InlinePass = (text: string, inline: InlineParser) => string;

/**
 * In order of precedence. Each pass sees what the ones before it left, so code hides mentions and a link hides stars; the
 * API's clients expect this order, which is not the order of characters in the text.
 */
const passes: readonly InlinePass[] = [
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

/** A link of the text, for previews. */
export interface TextLink {
  readonly url: string;
  readonly text: string;
  /** What stands for it in the text. */
  readonly place: string;
}

/** Turns the text of one block into HTML. */
export class InlineParser {
  readonly references: ReferenceSource;
  readonly stash: Stash;
  readonly formulas: Formulas;
  readonly budget: RenderBudget;
  /** Links found since the caller last emptied it. */
  links: TextLink[] = [];
  #nextPass = 0;

  constructor(
    references: ReferenceSource,
    { stash, formulas, budget }: Pick<InlineParser, 'stash' | 'formulas' | 'budget'>,
  ) {
    this.references = references;
    this.stash = stash;
    this.formulas = formulas;
    this.budget = budget;
  }

  /** Parses a whole text, leaving places where HTML is to stand. */
  parse(text: string): string {
    return this.#run(text, 0);
  }

  /** For a pass: HTML of what stands within its marks, where only the later passes apply. */
  innerHtml(text: string): string {
    const resume = this.#nextPass;
    const html = this.stash.toHtml(this.#run(text, resume));
    this.#nextPass = resume;
    return html;
  }

  /** For a pass: keeps a link and remembers it. Its text is not parsed further; the address must be a safe one. */
  putLink({ url, text }: { readonly url: string; readonly text: string }): string {
    const place = this.stash.put(`<a href="${escapeAttribute(url)}">${this.stash.toHtml(text)}</a>`);
    this.links.push({ url, text, place });
    return place;
  }

  #run(text: string, from: number): string {
    this.budget.spend(text.length);
    let parsed = text;
    for (let index = from; index < passes.length; index += 1) {
      this.#nextPass = index + 1;
      parsed = passes[index]?.(parsed, this) ?? parsed;
    }
    return parsed;
  }
}
