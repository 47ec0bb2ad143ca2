import { escapeText } from './html.js';
import type { RenderBudget } from './render-budget.js';

/** A placeholder for finished HTML in a text that is still being parsed. These control characters are removed from sources. */
const place = /\u0002(s?\d+)\u0003/g;

/** Deferred HTML is longer than its fallback by more characters than this, so that with less room none need be made. */
const SHORTEST_DEFERRED = 200;

/** Stores finished HTML, so that later passes cannot change it. Only this module replaces placeholders by HTML. */
export class Stash {
  readonly #html: (string | DeferredHtml)[] = [];
  readonly #budget: RenderBudget;

  constructor(budget: RenderBudget) {
    this.#budget = budget;
  }

  /** Stores `html` and returns its placeholder. */
  put(html: string): string {
    this.#budget.spend(html.length);
    return `\u0002${this.#html.push(html) - 1}\u0003`;
  }

  /** Stores HTML that is created after everything else is written. Its placeholder remains until {@link complete}. */
  putDeferred(html: DeferredHtml): string {
    this.#budget.write(html.fallback);
    return `\u0002${this.#html.push(html) - 1}\u0003`;
  }

  /** Whether the text consists of one placeholder. */
  isPlace(text: string): boolean {
    return text.startsWith('\u0002') && text.indexOf('\u0003') === text.length - 1;
  }

  /** The HTML of a text: everything is escaped, and placeholders are replaced. */
  toHtml(text: string): string {
    const escaped = escapeText(text);
    if (!escaped.includes('\u0002')) return escaped;
    return escaped.replace(place, (source, index: string) => this.#htmlAt(Number(index), source));
  }

  /** The same, and counts the HTML in the budget. */
  writeHtml(text: string): string {
    const escaped = escapeText(text);
    if (!escaped.includes('\u0002')) return this.#budget.write(escaped);
    let ownLength = escaped.length;
    const html = escaped.replace(place, (source, index: string) => {
      ownLength -= source.length;
      const kept = this.#htmlAt(Number(index), source);
      return kept === source ? kept : this.#budget.write(kept);
    });
    this.#budget.addHtml(ownLength);
    return html;
  }

  /** Replaces the deferred placeholders in finished HTML in order, as long as the budget allows. */
  complete(html: string): string {
    if (!html.includes('\u0002')) return html;
    let room = this.#budget.htmlLeft;
    return html.replace(place, (_, index: string) => {
      const deferred = this.#html[Number(index)];
      if (deferred === undefined || typeof deferred === 'string') return '';
      const { fallback } = deferred;
      if (room < SHORTEST_DEFERRED) return fallback;
      const made = deferred.make() ?? fallback;
      const more = made.length - fallback.length;
      if (more > room) return fallback;
      room -= more;
      return made;
    });
  }

  #htmlAt(index: number, source: string): string {
    const html = this.#html[index] ?? '';
    return typeof html === 'string' ? html : source;
  }
}

/** HTML that is expensive to create. */
interface DeferredHtml {
  /** Used when it cannot be created, or is too long. */
  readonly fallback: string;
  /** Null: it cannot be created. */
  readonly make: () => string | null;
}
