/** Whether the server is on its way down. */
export class Draining {
  private readonly controller = new AbortController();

  /** Aborted when the server begins to stop: requests that are held open, such as long polls, are answered then. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** From now on the server is not ready for new clients. */
  begin(): void {
    this.controller.abort();
  }
}
