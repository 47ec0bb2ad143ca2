import type { LinkifiedTexts } from '../references.js';
import type { RenderBudget } from '../render-budget.js';
import type { InlinePass } from './inline-parser.js';

/** Characters that may precede a linkifier's match. */
const before = /[\s\u0085\p{Z}'"(,:<]/u;
const after = /[\p{L}\p{N}]/u;

/**
 * Texts that the organization's linkifiers matched when the message was written. Of overlapping matches, the one that is earlier in the
 * list wins.
 */
export const parseLinkifiedTexts: InlinePass = (text, inline) => {
  const { linkified } = inline.references;
  if (linkified.texts.size === 0) return text;
  const hits = hitsIn(text, linkified, inline.budget);
  if (hits.length === 0) return text;
  const links = new PlacedLinks(text);
  for (const hit of hits.sort(byRank)) {
    inline.budget.spend(stepsOf(hit.length));
    links.place(hit);
  }
  return links.replace(({ start, length, rank }) => {
    const matched = text.slice(start, start + length);
    return inline.putLink({ url: linkified.urls[rank] ?? '', text: matched });
  });
};

/** An occurrence of a text of the list. */
interface Hit {
  /** Its index in the list. */
  readonly rank: number;
  readonly start: number;
  readonly length: number;
}

function byRank(one: Hit, other: Hit): number {
  return one.rank - other.rank || one.start - other.start;
}

/** Looking up or placing a text takes one step, and one more for each full number of characters given here. */
const CHARACTERS_OF_STEP = 32;

function stepsOf(length: number): number {
  return 1 + Math.floor(length / CHARACTERS_OF_STEP);
}

/** Looks up each possible beginning in the list, so that a long list costs no more than a short one. */
function hitsIn(text: string, { texts, lengths }: LinkifiedTexts, budget: RenderBudget): Hit[] {
  const hits: Hit[] = [];
  const steps = lengths.reduce((sum, length) => sum + stepsOf(length), 0);
  for (let start = 0; start < text.length; start += 1) {
    if (start > 0 && !before.test(text[start - 1] ?? '')) continue;
    budget.spend(steps);
    for (const length of lengths) {
      const rank = start + length > text.length ? undefined : texts.get(text.slice(start, start + length));
      if (rank !== undefined) hits.push({ rank, start, length });
    }
  }
  return hits;
}

/** Places links in order of precedence. To later ones, a placed link is finished HTML. */
class PlacedLinks {
  readonly #text: string;
  /** For each character, the link that covers it. */
  readonly #owners: (Hit | undefined)[];

  constructor(text: string) {
    this.#text = text;
    this.#owners = Array.from({ length: text.length });
  }

  place(hit: Hit): void {
    if (!this.#isFree(hit)) return;
    this.#owners.fill(hit, hit.start, hit.start + hit.length);
  }

  replace(toPlace: (hit: Hit) => string): string {
    let replaced = '';
    for (let at = 0; at < this.#text.length;) {
      const owner = this.#owners[at];
      replaced += owner === undefined ? this.#text[at] : toPlace(owner);
      at += owner?.length ?? 1;
    }
    return replaced;
  }

  #isFree({ rank, start, length }: Hit): boolean {
    const end = start + length;
    if (this.#isOther(start - 1, rank)) return false;
    for (let at = start; at < end; at += 1) if (this.#owners[at] !== undefined) return false;
    if (this.#isOther(end, rank)) return true;
    const next = this.#text.codePointAt(end);
    return next === undefined || !after.test(String.fromCodePoint(next));
  }

  #isOther(at: number, rank: number): boolean {
    const owner = this.#owners[at];
    return owner !== undefined && owner.rank !== rank;
  }
}
