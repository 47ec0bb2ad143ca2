import { PositionBarrier } from './position-barrier.js';
import { isKeptHere, type ProjectionProgress, type ProjectionState, type Stoppage } from './progress.js';

/** The period over which the rate is averaged. */
const SECONDS = 10;

/** Counts occurrences, in total and recently. */
class RecentRate {
  /** By whole second of the clock. */
  private readonly bySecond = new Map<number, number>();
  total = 0;

  /** @param now see {@link ModelPosition} */
  constructor(private readonly now: () => number) {}

  add(count: number): void {
    if (count === 0) return;
    this.total += count;
    const second = this.second();
    this.bySecond.set(second, (this.bySecond.get(second) ?? 0) + count);
    for (const earlier of this.bySecond.keys()) {
      if (earlier <= second - SECONDS) this.bySecond.delete(earlier);
    }
  }

  perSecond(): number {
    const second = this.second();
    let count = 0;
    for (const [at, happened] of this.bySecond) if (at > second - SECONDS) count += happened;
    return count / SECONDS;
  }

  private second(): number {
    return Math.floor(this.now() / 1000);
  }
}

/** The status of a model. */
export interface ModelStatus {
  readonly projection: string;
  /** Null: another process keeps the model up to date, and its state is unknown here. */
  readonly state: ProjectionState | null;
  readonly version: number | null;
  readonly position: number | null;
  readonly lagMilliseconds: number;
  /** The checkpoint of the version that requests read, when it was last looked up; null: there is none, or it was not looked up. */
  readonly servedPosition: number | null;
  /**
   * How long an event that concerns the model has been in the log without being visible to requests, in milliseconds;
   * 0: requests can see every event.
   */
  readonly unseenMilliseconds: number;
  readonly stoppage: Stoppage | null;
  /** The number of events applied in this process. */
  readonly events: number;
  /** The recent rate of applied events. */
  readonly eventsPerSecond: number;
}

/** The progress of the version that requests read. */
export interface ServedProgress {
  readonly position: number | null;
  /** See {@link ModelStatus.unseenMilliseconds}. */
  readonly unseenMilliseconds: number;
}

/** What this process knows of a model's progress. */
export class ModelPosition {
  readonly barrier = new PositionBarrier();
  private progress: ProjectionProgress | null = null;
  private fellBehindAt: number | null = null;
  private liveSince: number | null = null;
  private readonly rate: RecentRate;
  private runnerEvents = 0;
  private served: ServedProgress = { position: null, unseenMilliseconds: 0 };

  /** @param now a monotonic clock, in milliseconds */
  constructor(
    readonly name: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.rate = new RecentRate(now);
  }

  report(progress: ProjectionProgress): void {
    const otherVersion = this.progress !== null && this.progress.version !== progress.version;
    this.progress = progress;
    this.count(progress.events ?? this.runnerEvents);
    if (otherVersion) this.barrier.restart(progress.position);
    else if (progress.position !== null) this.barrier.advance(progress.position);
    if (progress.state === 'live') this.noteLive();
    else this.noteBehind();
    if (this.isStuck) this.barrier.giveUp();
  }

  /** Sets the progress of the version that requests read, independent of what the writer reports. */
  reportServed(served: ServedProgress): void {
    this.served = served;
  }

  /** Whether it has stopped at a poison event. */
  get isHalted(): boolean {
    return this.progress?.state === 'halted';
  }

  /** Whether it does not advance, perhaps until somebody acts, so that waiting for it is useless. */
  get isStuck(): boolean {
    const state = this.progress?.state;
    return state === 'halted' || state === 'frozen' || state === 'paused';
  }

  /** Whether it does not advance until somebody acts, or until its store can be written again. */
  get isStopped(): boolean {
    return this.isStuck || this.progress?.state === 'unavailable';
  }

  /** Whether another process, if any, keeps it up to date, so that only its stored checkpoint shows its progress. */
  get isAdvancedElsewhere(): boolean {
    return !isKeptHere(this.progress?.state ?? null);
  }

  get lagMilliseconds(): number {
    const late = Math.max(this.barrier.lateMilliseconds, this.unseenMilliseconds);
    if (this.isAdvancedElsewhere || this.fellBehindAt === null) return late;
    return Math.max(late, this.now() - this.fellBehindAt);
  }

  status(): ModelStatus {
    return {
      projection: this.name,
      state: this.progress?.state ?? null,
      version: this.progress?.version ?? null,
      position: this.barrier.position,
      lagMilliseconds: Math.round(this.lagMilliseconds),
      servedPosition: this.served.position,
      unseenMilliseconds: this.unseenMilliseconds,
      stoppage: this.progress?.stoppage ?? null,
      events: this.rate.total,
      eventsPerSecond: this.rate.perSecond(),
    };
  }

  /**
   * The last look-up may be from before the model became live. A live model cannot lack an event for longer than it has
   * been live, so the value is limited to that time.
   */
  private get unseenMilliseconds(): number {
    const { unseenMilliseconds } = this.served;
    return this.liveSince === null
      ? unseenMilliseconds
      : Math.min(unseenMilliseconds, this.now() - this.liveSince);
  }

  private noteLive(): void {
    this.fellBehindAt = null;
    this.liveSince ??= this.now();
  }

  private noteBehind(): void {
    this.fellBehindAt ??= this.now();
    this.liveSince = null;
  }

  /** Every runner counts from zero. */
  private count(events: number): void {
    this.rate.add(events >= this.runnerEvents ? events - this.runnerEvents : events);
    this.runnerEvents = events;
  }
}
