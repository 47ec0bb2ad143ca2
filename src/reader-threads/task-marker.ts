/** Memory in which a thread shows the state of its task to the pool, even while its event loop is blocked. */
export class TaskMarker {
  private readonly fields: Int32Array;

  /** @param memory made by {@link TaskMarker.memory} */
  constructor(memory: SharedArrayBuffer) {
    this.fields = new Int32Array(memory);
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(4 * Int32Array.BYTES_PER_ELEMENT);
  }

  /** Whether the thread has loaded, so that the timeout counts. */
  get hasBegun(): boolean {
    return Atomics.load(this.fields, 0) > 0;
  }

  begin(): void {
    Atomics.store(this.fields, 0, 1);
  }

  /** Whether the task is cancelled. */
  get isCancelled(): boolean {
    return Atomics.load(this.fields, 2) > 0;
  }

  cancel(): void {
    Atomics.store(this.fields, 2, 1);
  }

  /** The number of statements that the driver is executing for the thread, which must not be terminated meanwhile. */
  get statements(): number {
    return Atomics.load(this.fields, 1);
  }

  set statements(running: number) {
    Atomics.store(this.fields, 1, running);
  }

  /** The number of rows that the task has read from read models so far. */
  get rows(): number {
    return Atomics.load(this.fields, 3);
  }

  addRows(count: number): void {
    Atomics.add(this.fields, 3, count);
  }
}
