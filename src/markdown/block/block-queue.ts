/** The blocks (texts between blank lines) that are still to be parsed, in order. */
export class BlockQueue {
  readonly #reversed: string[];

  constructor(blocks: readonly string[]) {
    this.#reversed = blocks.toReversed();
  }

  /** Returns the next block without removing it. */
  peek(): string | undefined {
    return this.#reversed.at(-1);
  }

  /** Removes the next block. */
  take(): string {
    return this.#reversed.pop() ?? '';
  }

  /** Puts `block` in front of the queue, unless it is empty. */
  putBack(block: string): void {
    if (block !== '') this.#reversed.push(block);
  }
}
