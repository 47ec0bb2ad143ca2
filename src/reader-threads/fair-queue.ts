/** What a {@link FairQueue} goes by. */
export interface Queued {
  /** Whose it is: one account has one job running at a time. Null: nobody's. */
  readonly account: number | null;
  /** Whether it is expected to take long, or does by now. */
  isLong: boolean;
}

/**
 * In which order jobs start. Accounts take turns: whoever asks for much waits for their own. At least one thread is left to what
 * is short.
 */
export class FairQueue<Job extends Queued> {
  /** By account, or by the job that is nobody's, in the order of their turns; none of the lists is empty. */
  private readonly waiting = new Map<number | Job, Job[]>();
  private readonly running = new Set<Job>();

  /** @param threads at least two */
  constructor(private readonly threads: number) {}

  /** How many jobs wait. */
  get length(): number {
    let length = 0;
    for (const jobs of this.waiting.values()) length += jobs.length;
    return length;
  }

  add(job: Job): void {
    const key = job.account ?? job;
    if (this.waiting.get(key)?.push(job) === undefined) this.waiting.set(key, [job]);
  }

  /** Takes back one that has not started; false: it has. */
  remove(job: Job): boolean {
    const key = job.account ?? job;
    const jobs = this.waiting.get(key);
    const index = jobs?.indexOf(job) ?? -1;
    if (jobs === undefined || index < 0) return false;
    jobs.splice(index, 1);
    if (jobs.length === 0) this.waiting.delete(key);
    return true;
  }

  /** Takes all of them back. */
  clear(): readonly Job[] {
    const jobs = [...this.waiting.values()].flat();
    this.waiting.clear();
    return jobs;
  }

  /** The next that may start now, which has then started; null: none. */
  take(): Job | null {
    if (this.running.size >= this.threads) return null;
    for (const [key, jobs] of this.waiting) {
      const [job] = jobs;
      if (job === undefined || !this.mayStart(job)) continue;
      this.remove(job);
      this.putLast(key);
      this.running.add(job);
      return job;
    }
    return null;
  }

  /** One that had started has ended. */
  finish(job: Job): void {
    this.running.delete(job);
  }

  private mayStart(job: Job): boolean {
    let long = 0;
    for (const other of this.running) {
      if (job.account !== null && other.account === job.account) return false;
      if (other.isLong) long += 1;
    }
    return !job.isLong || long < this.threads - 1;
  }

  private putLast(key: number | Job): void {
    const jobs = this.waiting.get(key);
    if (jobs === undefined) return;
    this.waiting.delete(key);
    this.waiting.set(key, jobs);
  }
}
