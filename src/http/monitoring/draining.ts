/** Whether the server is shutting down. */
export class Draining {
  private readonly controller = new AbortController();

  /** Aborted when shutdown begins: open requests such as long polls are answered then. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Begins the shutdown: the server is not ready for new clients any more. */
  begin(): void {
    this.controller.abort();
  }
}
