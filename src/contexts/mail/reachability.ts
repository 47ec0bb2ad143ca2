/**
 * Tells a mail server that takes no e-mail at all from one that fails at some: one may accept few connections at
 * once, or drop the connection at a certain e-mail.
 */
export class Reachability {
  private accepted = 0;
  /** Each resolves when the e-mail is accepted, and rejects when it is not. */
  private readonly underWay = new Set<Promise<void>>();

  /**
   * Sends an e-mail.
   *
   * @throws what `send` throws
   */
  async during(send: () => Promise<void>): Promise<void> {
    const sending = send();
    this.underWay.add(sending);
    try {
      await sending;
      this.accepted += 1;
    } finally {
      this.underWay.delete(sending);
    }
  }

  /** How many e-mails were accepted up to now. */
  get acceptedCount(): number {
    return this.accepted;
  }

  /**
   * Whether an e-mail was accepted after the first `count`, or one of those under way is. Waits for these: a
   * connection is refused sooner than an e-mail is accepted.
   */
  async hasAcceptedSince(count: number): Promise<boolean> {
    if (this.accepted > count) return true;
    return Promise.any(this.underWay).then(
      () => true,
      () => this.accepted > count,
    );
  }
}
