import { budgets } from '../kernel/budgets.js';
import { failure } from '../kernel/errors.js';

/** What a {@link FairQueue} orders tasks by. */
export interface Queued {
  /** Id of the account that sent the query, of a bot that of its owner. It has one running task at a time. Null: the server itself. */
  readonly account: number | null;
  /** Whether the task is expected to take long, or already does. */
  isLong: boolean;
}

/**
 * Decides in which order tasks start. Accounts take turns, so the many queries of one account delay only that account. At least one thread
 * is reserved for short tasks.
 */
export class FairQueue<Task extends Queued> {
  /** By account, or by the task itself where it has no account, in the order of their turns. No list is empty. */
  private readonly waiting = new Map<number | Task, Task[]>();
  private readonly running = new Set<Task>();

  /** @param threads at least two */
  constructor(private readonly threads: number) {}

  /** The number of waiting tasks. */
  get length(): number {
    let length = 0;
    for (const tasks of this.waiting.values()) length += tasks.length;
    return length;
  }

  /** The waiting tasks of an account, in order. */
  of(account: number): readonly Task[] {
    return this.waiting.get(account) ?? [];
  }

  /** @throws ApplicationError `unavailable` when too many tasks of its account are waiting */
  add(task: Task): void {
    if (task.account !== null && this.of(task.account).length >= budgets.waitingQueriesOfOwner.max)
      throw failure('unavailable');
    const key = task.account ?? task;
    if (this.waiting.get(key)?.push(task) === undefined) this.waiting.set(key, [task]);
  }

  /** Removes a task that has not started; false: it has. */
  remove(task: Task): boolean {
    const key = task.account ?? task;
    const tasks = this.waiting.get(key);
    const index = tasks?.indexOf(task) ?? -1;
    if (tasks === undefined || index < 0) return false;
    tasks.splice(index, 1);
    if (tasks.length === 0) this.waiting.delete(key);
    return true;
  }

  /** Removes all waiting tasks. */
  clear(): readonly Task[] {
    const tasks = [...this.waiting.values()].flat();
    this.waiting.clear();
    return tasks;
  }

  /** Removes and returns the next task that may start now; null: none may. */
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

  /** Must be called when a started task has ended. */
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
