import { PositionBarrier } from './position-barrier.js';
import { RecentRate } from './recent-rate.js';
import type { ProjectionProgress, ProjectionState, Stoppage } from './progress.js';

/** How a model is doing. */
export interface ModelStatus {
  readonly projection: string;
  /** Null: another process advances it, and its state is not known here. */
  readonly state: ProjectionState | null;
  readonly version: number | null;
  readonly position: number | null;
  readonly lagMilliseconds: number;
  /** Its checkpoint as requests were last found to read it; null: it has none, or nobody has looked. */
  readonly servedPosition: number | null;
  /** For how long requests are known not to find an event of the model's that is in the log, in milliseconds; 0: they find all. */
  readonly unseenMilliseconds: number;
  readonly stoppage: Stoppage | null;
  /** How many events were applied to it in this process. */
  readonly events: number;
  /** How many of them in a second, lately. */
  readonly eventsPerSecond: number;
}

/** What requests read of a model. */
export interface ServedProgress {
  readonly position: number | null;
  /** See {@link ModelStatus.unseenMilliseconds}. */
  readonly unseenMilliseconds: number;
}

/** What is known about one model. */
export class ModelPosition {
  readonly barrier = new PositionBarrier();
  private progress: ProjectionProgress | null = null;
  private fellBehindAt: number | null = null;
  private readonly rate = new RecentRate();
  private runnerEvents = 0;
  private served: ServedProgress = { position: null, unseenMilliseconds: 0 };

  constructor(readonly name: string) {}

  report(progress: ProjectionProgress): void {
    const otherVersion = this.progress !== null && this.progress.version !== progress.version;
    this.progress = progress;
    this.count(progress.events ?? this.runnerEvents);
    if (otherVersion) this.barrier.restart(progress.position);
    else if (progress.position !== null) this.barrier.advance(progress.position);
    if (progress.state === 'live') this.fellBehindAt = null;
    else this.fellBehindAt ??= performance.now();
    if (this.isStuck) this.barrier.giveUp();
  }

  /** Takes note of what requests read of it, whatever its writer reports. */
  reportServed(served: ServedProgress): void {
    this.served = served;
  }

  /** It stands before an event that it cannot apply. */
  get isHalted(): boolean {
    return this.progress?.state === 'halted';
  }

  /** It stands still, perhaps until somebody acts: there is no point in waiting for it. */
  get isStuck(): boolean {
    const state = this.progress?.state;
    return state === 'halted' || state === 'frozen' || state === 'paused';
  }

  /** It stands still until somebody acts, or until its store can be written again. */
  get standsStill(): boolean {
    return this.isStuck || this.progress?.state === 'unavailable';
  }

  /** Another process, if any, does the work: its checkpoint tells how far it has come. */
  get isAdvancedElsewhere(): boolean {
    const state = this.progress?.state;
    return state === undefined || state === 'standby' || state === 'stopped';
  }

  get lagMilliseconds(): number {
    const late = Math.max(this.barrier.lateMilliseconds, this.served.unseenMilliseconds);
    if (this.isAdvancedElsewhere || this.fellBehindAt === null) return late;
    return Math.max(late, performance.now() - this.fellBehindAt);
  }

  status(): ModelStatus {
    return {
      projection: this.name,
      state: this.progress?.state ?? null,
      version: this.progress?.version ?? null,
      position: this.barrier.position,
      lagMilliseconds: Math.round(this.lagMilliseconds),
      servedPosition: this.served.position,
      unseenMilliseconds: this.served.unseenMilliseconds,
      stoppage: this.progress?.stoppage ?? null,
      events: this.rate.total,
      eventsPerSecond: this.rate.perSecond(),
    };
  }

  /** A runner counts from zero when it begins. */
  private count(events: number): void {
    this.rate.add(events >= this.runnerEvents ? events - this.runnerEvents : events);
    this.runnerEvents = events;
  }
}
