import { escapeText } from './html.js';
import type { RenderBudget } from './render-budget.js';

/** Stands for finished HTML in a text that is still being parsed. No source holds these control characters. */
const place = /\u0002(s?\d+)\u0003/g;

/** Finished HTML, kept out of reach of every later pass. Only this module turns places back into HTML. */
export class Stash {
  readonly #html: (string | DeferredHtml)[] = [];
  readonly #budget: RenderBudget;

  constructor(budget: RenderBudget) {
    this.#budget = budget;
  }

  /** Keeps `html` and returns what stands for it in the text. */
  put(html: string): string {
    this.#budget.spend(html.length);
    return `\u0002${this.#html.push(html) - 1}\u0003`;
  }

  /** Keeps what is made once everything else is written. Its place stays in the HTML until {@link complete}. */
  putDeferred(html: DeferredHtml): string {
    this.#budget.write(html.fallback);
    return `\u0002${this.#html.push(html) - 1}\u0003`;
  }

  /** Whether the text is nothing but one place. */
  isPlace(text: string): boolean {
    return text.startsWith('\u0002') && text.indexOf('\u0003') === text.length - 1;
  }

  /** The HTML of a text: everything escaped but what was kept. */
  toHtml(text: string): string {
    const escaped = escapeText(text);
    if (!escaped.includes('\u0002')) return escaped;
    return escaped.replace(place, (source, index: string) => this.#htmlAt(Number(index), source));
  }

  /** The same as part of the whole: it counts as written. */
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

  /** Fills the places that are left in finished HTML, in their order, as long as there is room. */
  complete(html: string): string {
    if (!html.includes('\u0002')) return html;
    let room = this.#budget.htmlLeft;
    return html.replace(place, (_, index: string) => {
      const deferred = this.#html[Number(index)];
      if (deferred === undefined || typeof deferred === 'string') return '';
      const { fallback } = deferred;
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

/** HTML that takes long to make. */
export interface DeferredHtml {
  /** What stands there instead where it cannot be made, or is too long. */
  readonly fallback: string;
  /** Null where it cannot be made. */
  readonly make: () => string | null;
}
