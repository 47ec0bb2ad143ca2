/**
 * Lets many readers look while nothing changes, and one writer change while nobody looks. Readers that come while the writer
 * waits come after it, so that it is never kept waiting by a stream of them.
 */
export class ReadWriteLock {
  private readonly reading = new Set<Promise<unknown>>();
  private writing: Promise<unknown> | null = null;

  async read<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.writing !== null) await this.writing;
    const done = work();
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    this.reading.add(settled);
    void settled.then(() => this.reading.delete(settled));
    return done;
  }

  /** For one writer, which waits for its turn to end before it asks for another. */
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
