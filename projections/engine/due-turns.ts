/** How many items of one owner a round performs. */
const OF_OWNER_IN_ROUND = 100;

/** Identifies an owner whose items are performed in turn with those of others. */
export type Owner = number | string;

/** The items of one owner that are not performed yet, the earliest first. */
export interface OwnerQueue<Item> {
  readonly owner: Owner;
  readonly items: Item[];
}

/** Why an item was not performed. */
export interface Failure {
  readonly cause: unknown;
  /** Whether it concerns all items. */
  readonly endsRound: boolean;
}

/** One round: takes items from the queues of owners in turn, until it has performed enough items or an error ends it. */
export class Round<Item> {
  private readonly taken = new Map<Owner, number>();
  private readonly errors: unknown[] = [];
  private hasEnded = false;

  constructor(
    private readonly turns: OwnerQueue<Item>[],
    private left: number,
    private readonly perform: (turn: OwnerQueue<Item>) => Promise<Failure | null>,
  ) {}

  /** Whether an error that concerns all items ended it. */
  get isEnded(): boolean {
    return this.hasEnded;
  }

  /** Performs items of at most `atOnce` owners at a time. */
  async performTurns(atOnce: number): Promise<void> {
    await Promise.all(Array.from({ length: atOnce }, () => this.takeTurns()));
  }

  /** @throws the error that ended the round, or else the first of its items' errors */
  throwFirstError(): void {
    if (this.errors.length > 0) throw this.errors[0];
  }

  private async takeTurns(): Promise<void> {
    for (let turn = this.next(); turn !== undefined; turn = this.next()) {
      const failure = await this.perform(turn);
      if (failure?.endsRound === true) this.end(failure.cause);
      else if (failure !== null) this.errors.push(failure.cause);
      this.queueAgain(turn);
    }
  }

  private next(): OwnerQueue<Item> | undefined {
    if (this.left === 0 || this.hasEnded) return undefined;
    const turn = this.turns.shift();
    if (turn !== undefined) this.left -= 1;
    return turn;
  }

  private end(cause: unknown): void {
    this.errors.unshift(cause);
    this.hasEnded = true;
  }

  /** The owner has another turn after all others, unless enough were taken. */
  private queueAgain(turn: OwnerQueue<Item>): void {
    const count = (this.taken.get(turn.owner) ?? 0) + 1;
    this.taken.set(turn.owner, count);
    if (turn.items.length > 0 && count < OF_OWNER_IN_ROUND) this.turns.push(turn);
  }
}
