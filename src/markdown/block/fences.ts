import type { Formulas } from '../formulas.js';
import type { Stash } from '../stash.js';
import { codeBlock } from '../code-block.js';

/** The first line of a fence. */
interface FenceLine {
  /** Three or more `` ` `` or `~`. The same mark closes the fence. */
  readonly mark: string;
  /** The word after the mark; empty when there is none. */
  readonly language: string;
  /** The text after that word. */
  readonly header: string;
}

/** The two texts of a spoiler. */
interface Spoiler {
  readonly header: string;
  readonly content: string;
}

const fenceMark = /^(?:~{3,}|`{3,})/;
/** What may follow the mark, if it contains no other mark. */
const fenceName = /^ *(?:\{?\.?([\w+,\-./#]+) *([^ ].*)?\}?)?$/;
const otherMark = /[~`]/;

/** Parses a line that opens or closes a fence. Fences must begin at the start of a line. */
export function fenceOf(line: string): FenceLine | undefined {
  if (!line.startsWith('```') && !line.startsWith('~~~')) return undefined;
  const mark = fenceMark.exec(line)?.[0] ?? '';
  const name = line.slice(mark.length);
  const match = otherMark.test(name) ? null : fenceName.exec(name);
  if (match === null) return undefined;
  return { mark, language: match[1] ?? '', header: match[2]?.trimEnd() ?? '' };
}

/** Whether the fence holds a quotation. */
export function isQuoteLanguage(language: string): boolean {
  return language === 'quote' || language === 'quoted';
}

type FenceKind = 'text' | 'code' | 'math' | 'quote' | 'spoiler';

interface OpenFence {
  readonly kind: FenceKind;
  readonly line: FenceLine;
  readonly content: string[];
}

/** A fence nested deeper in quotes or spoilers is treated as text, which limits the work for hostile input. */
const DEEPEST_NESTING = 20;

/**
 * Removes the fences from a text. Code is replaced by a placeholder for its HTML, a spoiler by a placeholder for the block parser, and a
 * quotation by lines that begin with `>`.
 */
export class Fences {
  readonly #language: string;
  readonly #stash: Stash;
  readonly #formulas: Formulas;
  readonly #spoilers: Spoiler[] = [];
  readonly #open: OpenFence[] = [];

  /** @param language of code blocks that name none; empty: none */
  constructor(stash: Stash, formulas: Formulas, language: string) {
    this.#language = language;
    this.#stash = stash;
    this.#formulas = formulas;
  }

  /** The text without fences. */
  takeOut(lines: readonly string[]): readonly string[] {
    const text: string[] = [];
    this.#open.push({ kind: 'text', line: { mark: '', language: '', header: '' }, content: text });
    for (const line of lines) this.#passLine(line);
    while (this.#open.length > 1) this.#close();
    this.#open.pop();
    // A closing fence at the end of the text must become a block of its own, without the remaining line end.
    if (text.at(-1) === '' && text.at(-2) !== '') text.push('');
    return text;
  }

  /** Whether a block consists of one placeholder for a fence's HTML. */
  isPlace(block: string): boolean {
    return this.#stash.isPlace(block) || this.#formulas.isDisplay(block.trim());
  }

  /** The spoiler that a placeholder stands for. */
  spoilerAt(block: string): Spoiler | undefined {
    const place = /^\s*\u0002s(\d+)\u0003\s*$/.exec(block)?.[1];
    return place === undefined ? undefined : this.#spoilers[Number(place)];
  }

  #passLine(line: string): void {
    const current = this.#open.at(-1);
    if (current === undefined) return;
    if (current.kind !== 'text' && line.trimEnd() === current.line.mark) {
      this.#close();
      return;
    }
    const isLiteral = current.kind === 'code' || current.kind === 'math';
    const fence = isLiteral || this.#open.length > DEEPEST_NESTING ? undefined : fenceOf(line);
    if (fence === undefined) current.content.push(isLiteral ? line.trimEnd() : line);
    else this.#open.push({ kind: kindOf(fence.language), line: fence, content: [] });
  }

  #close(): void {
    const closed = this.#open.pop();
    const outer = this.#open.at(-1);
    if (closed === undefined || outer === undefined || closed.content.length === 0) return;
    outer.content.push('', ...this.#replacement(closed), '');
  }

  #replacement({ kind, line, content }: OpenFence): readonly string[] {
    switch (kind) {
      case 'text':
        return content;
      case 'quote':
        return content.map((text) => `> ${text}`);
      case 'spoiler':
        return [this.#spoilerPlace({ header: line.header, content: withoutLineEnds(content).join('\n') })];
      case 'code':
        return [this.#stash.put(codeBlock(content.join('\n'), line.language || this.#language))];
      case 'math':
        return [this.#formulas.putDisplay(content.join('\n'))];
    }
  }

  #spoilerPlace(spoiler: Spoiler): string {
    return `\u0002s${this.#spoilers.push(spoiler) - 1}\u0003`;
  }
}

/** The end of a spoiler must not add line ends to the block before it. */
function withoutLineEnds(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

function kindOf(language: string): FenceKind {
  const name = language.toLowerCase();
  if (isQuoteLanguage(name)) return 'quote';
  return name === 'spoiler' || name === 'math' ? name : 'code';
}
