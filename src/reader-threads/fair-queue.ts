/** What a {@link FairQueue} goes by. */
export interface Queued {
  /** Id of the account that asked: one account has one task running at a time. Null: the server itself. */
  readonly account: number | null;
  /** Whether it is expected to take long, or does by now. */
  isLong: boolean;
}

/**
 * In which order tasks start. Accounts take turns: whoever asks for much waits for their own. At least one thread is left to what
 * is short.
 */
export class FairQueue<Task extends Queued> {
  /** By account, or by the task that is nobody's, in the order of their turns; none of the lists is empty. */
  private readonly waiting = new Map<number | Task, Task[]>();
  private readonly running = new Set<Task>();

  /** @param threads at least two */
  constructor(private readonly threads: number) {}

  /** How many tasks wait. */
  get length(): number {
    let length = 0;
    for (const tasks of this.waiting.values()) length += tasks.length;
    return length;
  }

  /** What waits of an account, in its order. */
  of(account: number): readonly Task[] {
    return this.waiting.get(account) ?? [];
  }

  add(task: Task): void {
    const key = task.account ?? task;
    if (this.waiting.get(key)?.push(task) === undefined) this.waiting.set(key, [task]);
  }

  /** Takes back one that has not started; false: it has. */
  remove(task: Task): boolean {
    const key = task.account ?? task;
    const tasks = this.waiting.get(key);
    const index = tasks?.indexOf(task) ?? -1;
    if (tasks === undefined || index < 0) return false;
    tasks.splice(index, 1);
    if (tasks.length === 0) this.waiting.delete(key);
    return true;
  }

  /** Takes all of them back. */
  clear(): readonly Task[] {
    const tasks = [...this.waiting.values()].flat();
    this.waiting.clear();
    return tasks;
  }

  /** The next that may start now, which has then started; null: none. */
  take(): Task | null {
    if (this.running.size >= this.threads) return null;
    for (const [key, tasks] of this.waiting) {
      const [task] = tasks;
      if (task === undefined || !this.mayStart(task)) continue;
      this.remove(task);
      this.putLast(key);
      this.running.add(task);
      return task;
    }
    return null;
  }

  /** One that had started has ended. */
  finish(task: Task): void {
    this.running.delete(task);
  }

  private mayStart(task: Task): boolean {
    let long = 0;
    for (const other of this.running) {
      if (task.account !== null && other.account === task.account) return false;
      if (other.isLong) long += 1;
    }
    return !task.isLong || long < this.threads - 1;
  }

  private putLast(key: number | Task): void {
    const tasks = this.waiting.get(key);
    if (tasks === undefined) return;
    this.waiting.delete(key);
    this.waiting.set(key, tasks);
  }
}
