/**
 * A lock that many readers, or one writer, can hold. Readers that come while the writer waits queue behind
 * it, so that a stream of readers cannot starve it.
 */
export class ReadWriteLock {
  private readonly reading = new Set<Promise<unknown>>();
  private writing: Promise<unknown> | null = null;

  async read<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.writing !== null) await this.writing;
    const done = work();
    const finished = done.then(
      () => undefined,
      () => undefined,
    );
    this.reading.add(finished);
    void finished.then(() => this.reading.delete(finished));
    return done;
  }

  /** For a single writer, which must not call it again before its last call resolved. */
  async write<Result>(work: () => Promise<Result>): Promise<Result> {
    const readers = [...this.reading];
    const done = Promise.all(readers).then(work);
    this.writing = done.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await done;
    } finally {
      this.writing = null;
    }
  }
}
