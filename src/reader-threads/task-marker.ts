/** Tells the thread that gave a task how it stands in the one that does it, even while that one does not react. */
export class TaskMarker {
  private readonly fields: Int32Array;

  /** @param memory made by {@link TaskMarker.memory} */
  constructor(memory: SharedArrayBuffer) {
    this.fields = new Int32Array(memory);
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);
  }

  /** Whether the thread was ready for it: its time counts from then on. */
  get hasBegun(): boolean {
    return Atomics.load(this.fields, 0) > 0;
  }

  begin(): void {
    Atomics.store(this.fields, 0, 1);
  }

  /** Whether nobody waits for it any more. */
  get isCancelled(): boolean {
    return Atomics.load(this.fields, 2) > 0;
  }

  cancel(): void {
    Atomics.store(this.fields, 2, 1);
  }

  /** How many statements the driver runs for the thread: while it does, the thread is not to be ended. */
  get statements(): number {
    return Atomics.load(this.fields, 1);
  }

  set statements(running: number) {
    Atomics.store(this.fields, 1, running);
  }
}
