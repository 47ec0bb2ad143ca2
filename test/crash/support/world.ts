/** What the writers of one run share. */
export class World {
  /** Channels that everybody joins and leaves together. */
  readonly channels = ['engines', 'looms', 'tables'] as const;
  /** What stood in requests that were refused, or would have been: it must never be found anywhere. */
  readonly refused: string[] = [];
  /** Ids of messages that were acknowledged, with their authors' names. */
  readonly sent: { readonly id: number; readonly author: string }[] = [];
  private names = 0;

  /** @param acknowledged called whenever a write was acknowledged */
  constructor(readonly acknowledged: () => void) {}

  /** A text that nothing else in the run has, with none inside another. */
  unique(kind: string): string {
    this.names += 1;
    return `${kind}-${this.names}-`;
  }

  /** A unique text that must never be found. */
  refusable(): string {
    const text = this.unique('refused');
    this.refused.push(text);
    return text;
  }
}
