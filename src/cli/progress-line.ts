/** The progress of a long task. */
export interface Progress {
  /**
   * @param done amount that is done; null: only the share is known
   * @param share of the whole that is done, from 0 to 1; absent: computed from the total
   */
  set(done: number | null, share?: number): void;
  /** Ends the display and clears the bar. */
  end(): void;
}

/** Shows progress by positions of the log. Only their share is shown, because some stores count positions in bytes. */
export function byPosition(progress: Progress, head: number | null): (position: number) => void {
  return (position) => progress.set(null, position / (head ?? position));
}

/** Where and how a {@link ProgressLine} is shown. */
interface ProgressLineOptions {
  readonly output: {
    readonly isTTY?: boolean;
    readonly columns?: number;
    write(text: string): unknown;
  };
  readonly label: string;
  /** Null: unknown. */
  readonly total: number | null;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** Shorter tasks show no progress. */
const QUIET_MILLISECONDS = 500;
const REDRAW_MILLISECONDS = 100;
/** Interval of the lines when no terminal shows a bar. */
const LINE_MILLISECONDS = 5_000;
const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[K';

/** On a terminal, a bar with rate and remaining time that is redrawn in place; elsewhere, a plain line every few seconds. */
export class ProgressLine implements Progress {
  private readonly began: number;
  private shownAt: number;
  private shown = false;
  /** The share when the display began: a resumed task did not do that part now. */
  private firstShare: number | null = null;

  constructor(private readonly options: ProgressLineOptions) {
    this.began = this.now();
    this.shownAt = this.began - LINE_MILLISECONDS + QUIET_MILLISECONDS;
  }

  set(done: number | null, share?: number): void {
    const now = this.now();
    if (share !== undefined) this.firstShare ??= share;
    const { output } = this.options;
    const isWatched = output.isTTY === true;
    if (now - this.began < QUIET_MILLISECONDS) return;
    if (now - this.shownAt < (isWatched ? REDRAW_MILLISECONDS : LINE_MILLISECONDS)) return;
    this.shownAt = now;
    this.shown = true;
    const text = share === undefined ? this.textAt(done ?? 0, now) : this.textOf(done, share, now);
    output.write(isWatched ? `${CLEAR_LINE}${text.slice(0, (output.columns ?? 80) - 1)}` : `${text}\n`);
  }

  end(): void {
    if (this.shown && this.options.output.isTTY === true) this.options.output.write(CLEAR_LINE);
  }

  private textAt(done: number, now: number): string {
    const { label, total } = this.options;
    const rate = done / ((now - this.began) / 1000);
    const speed = `${numbers.format(Math.round(rate))}/s`;
    if (total === null || total <= 0) return `${label}  ${numbers.format(done)}  ${speed}`;
    const left = rate > 0 ? `  ${duration((total - done) / rate)} left` : '';
    return `${label}  ${barOf(done / total)}  ${numbers.format(done)} of ${numbers.format(total)}  ${speed}${left}`;
  }

  /** The remaining time is computed from the share, because `done` may count something else. */
  private textOf(done: number | null, share: number, now: number): string {
    const seconds = (now - this.began) / 1000;
    const gained = share - (this.firstShare ?? 0);
    const left = gained > 0 ? `  ${duration(((1 - share) / gained) * seconds)} left` : '';
    const reached = `${this.options.label}  ${barOf(share)}`;
    if (done === null) return `${reached}${left}`;
    return `${reached}  ${numbers.format(done)}  ${numbers.format(Math.round(done / seconds))}/s${left}`;
  }

  private now(): number {
    return (this.options.now ?? (() => performance.now()))();
  }
}

const numbers = new Intl.NumberFormat('en-US');

/** A bar with its percentage. */
function barOf(share: number): string {
  const within = Math.min(1, Math.max(0, share));
  const filled = Math.round(within * BAR_WIDTH);
  return `[${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${Math.floor(within * 100)}%`;
}

/** Minutes and seconds; for long durations, hours and minutes. */
function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return `${minutes}:${String(whole % 60).padStart(2, '0')}`;
}
