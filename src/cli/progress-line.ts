/** How far something has come. */
export interface Progress {
  /**
   * @param done how much is done by now; null: only its share is known
   * @param share how much of the whole that is, from 0 to 1; absent: as the total says
   */
  set(done: number | null, share?: number): void;
  /** Ends the display; nothing of a bar stays behind. */
  end(): void;
}

/** Tells how far something has come by positions of the log, which some stores count in bytes: only their share means anything. */
export function byPosition(progress: Progress, head: number | null): (position: number) => void {
  return (position) => progress.set(null, position / (head ?? position));
}

/** Where a {@link ProgressLine} is shown, and what it is about. */
export interface ProgressLineOptions {
  readonly output: {
    readonly isTTY?: boolean;
    readonly columns?: number;
    write(text: string): unknown;
  };
  readonly label: string;
  /** Null: unknown. */
  readonly total: number | null;
  /** A clock that never goes back, in milliseconds. */
  readonly now?: () => number;
}

/** What takes less is over before anybody reads of it. */
const QUIET_MILLISECONDS = 500;
const REDRAW_MILLISECONDS = 100;
/** Without a person to watch, one line now and then is enough. */
const LINE_MILLISECONDS = 5_000;
const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[K';

/** A bar with a rate and the time that is left, redrawn in place on a terminal; plain lines now and then elsewhere. */
export class ProgressLine implements Progress {
  private readonly began: number;
  private shownAt: number;
  private shown = false;
  /** The share that was there when the display began: what is taken up again is not all done now. */
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

  /** The time that is left goes by the share, not by what is done: that may be of another kind. */
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

/** Minutes and seconds, or hours and minutes when it is long. */
function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return `${minutes}:${String(whole % 60).padStart(2, '0')}`;
}
