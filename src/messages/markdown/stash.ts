import { escapeText } from './html.js';

/** Stands for finished HTML in a text that is still being parsed. No source holds these control characters. */
const place = /\u0002(s?\d+)\u0003/g;

/** Finished HTML, kept out of reach of every later pass. Only this module turns places back into HTML. */
export class Stash {
  readonly #html: (string | (() => string))[] = [];

  /** Keeps `html`, or what will make it when it is needed, and returns what stands for it in the text. */
  put(html: string | (() => string)): string {
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
    return escaped.replace(place, (_, index: string) => this.#htmlAt(Number(index)));
  }

  #htmlAt(index: number): string {
    const html = this.#html[index] ?? '';
    return typeof html === 'string' ? html : html();
  }
}
