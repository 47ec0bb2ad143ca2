import { statfs } from 'node:fs/promises';
import type { ModelStatus } from '../../../projections/engine/model-position.js';
import type { ReactorStatus } from '../../../projections/engine/reactor-status.js';
import type { Logger } from '../../http/monitoring/logger.js';
import type { DomainEvent } from '../../kernel/event.js';
import { delayBuckets, type CountedDelays } from '../../reader-threads/event-loop-delays.js';
import type { AppendObserver, EventLog } from '../../stores/event-store/event-log.js';
import { lastBackup } from '../backup/last-backup.js';
import type { ProjectionOperations } from '../projection-operations.js';
import { FailureCounter } from './failure-counter.js';
import { ReactorLags } from './reactor-lags.js';
import { sealingOf } from './sealing.js';
import type { ServerFacts, Waiting } from './server-facts.js';
import { verdictOn, type Verdict } from './verdict.js';

/** The figures of one moment, by name; null: not known. */
type Sample = Readonly<Record<string, number | null>>;

/** Figures over time: for each name a list as long as the list of times. */
interface Series {
  /** Milliseconds since the UNIX epoch. */
  readonly at: readonly number[];
  readonly figures: Readonly<Record<string, readonly (number | null)[]>>;
}

/** The newest samples, up to a limit: one hour of them takes a few hundred kilobytes. */
class Samples {
  private readonly kept: { readonly at: number; readonly figures: Sample }[] = [];

  constructor(private readonly capacity: number) {}

  add(at: number, figures: Sample): void {
    this.kept.push({ at, figures });
    if (this.kept.length > this.capacity) this.kept.shift();
  }

  /** The samples after a time. */
  since(moment: number): Series {
    const samples = this.kept.filter(({ at }) => at > moment);
    const names = new Set(samples.flatMap(({ figures }) => Object.keys(figures)));
    const figures = [...names].map(
      (name) => [name, samples.map((one) => one.figures[name] ?? null)] as const,
    );
    return { at: samples.map(({ at }) => at), figures: Object.fromEntries(figures) };
  }
}

/** How often samples are taken and how long they are kept, in milliseconds. */
const SAMPLE_EVERY = 5_000;
const KEPT_FOR = 3_600_000;
/** How many samples the event loop delay in the verdict is taken from. */
const DELAY_SAMPLES = 12;

const nothingWaits: Waiting = { count: 0, since: null };

/** The sources of the samples. */
interface OverviewSources {
  readonly log: EventLog;
  readonly operations: Pick<ProjectionOperations, 'status' | 'reactors'>;
  readonly dataDirectory: string;
  readonly sealSeconds: number;
  readonly logger: Pick<Logger, 'warn'>;
  readonly models: () => readonly ModelStatus[];
  readonly reactors: () => readonly ReactorStatus[];
  /** The delays of each kind of thread. */
  readonly eventLoops: () => Readonly<Record<string, { read(): CountedDelays }>>;
  /** The number of clients' event queues, and the bytes in them. */
  readonly queues: () => { readonly size: number; readonly bytes: number };
  /** The e-mails and notifications that are waiting to be sent. */
  readonly waiting: () => Promise<{ readonly mails: Waiting; readonly notifications: Waiting }>;
}

/** The state of the server. Times are milliseconds since the UNIX epoch. */
interface OverviewReport {
  readonly verdict: Verdict;
  readonly now: number;
  readonly disk: ServerFacts['disk'];
  readonly lastSealAt: number | null;
  readonly lastBackupAt: number | null;
  readonly queues: { readonly size: number; readonly bytes: number };
  readonly waiting: { readonly mails: number; readonly notifications: number };
  readonly mailsFailed: number;
  readonly notificationsFailed: number;
  /** When the process began to take samples. */
  readonly startedAt: number;
  readonly samples: Series;
}

/** Takes samples of the server at intervals, keeps those of the last hour, and reports the server's state. */
export class Overview implements AppendObserver {
  private readonly samples = new Samples(KEPT_FOR / SAMPLE_EVERY);
  private readonly startedAt = Date.now();
  private sources: OverviewSources | null = null;
  private events = 0;
  private failures: FailureCounter | null = null;
  private lastWaiting = { mails: nothingWaits, notifications: nothingWaits };
  private readonly delays = new Map<string, CountedDelays>();
  private lastTakenAt = this.startedAt;
  private isTaking = false;
  private timer: NodeJS.Timeout | null = null;

  appended(events: readonly DomainEvent[]): void {
    this.events += events.length;
  }

  /** Starts to take samples. The timer does not keep the process alive. */
  begin(sources: OverviewSources): void {
    this.sources = sources;
    this.failures = new FailureCounter(sources.log);
    const lags = new ReactorLags(sources.log.store);
    const take = (): void => void this.takeAlone(sources, lags);
    take();
    this.timer = setInterval(take, SAMPLE_EVERY).unref();
  }

  end(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  /** How many e-mails and notifications were waiting at the last sample. */
  get waiting(): OverviewReport['waiting'] {
    const { mails, notifications } = this.lastWaiting;
    return { mails: mails.count, notifications: notifications.count };
  }

  /** @param since reports the samples after this time, in milliseconds since the UNIX epoch */
  async report(since: number): Promise<OverviewReport | null> {
    const { sources } = this;
    if (sources === null) return null;
    const now = Date.now();
    const [projections, reactors, disk, backup, sealing, failed] = await Promise.all([
      sources.operations.status(),
      sources.operations.reactors(),
      diskOf(sources.dataDirectory),
      lastBackup(sources.dataDirectory),
      sealingOf(sources.log),
      this.failures?.countSince(now - KEPT_FOR) ?? { mailsFailed: 0, notificationsFailed: 0 },
    ]);
    const lastBackupAt = backup === null ? null : Date.parse(backup.madeAt);
    const { startedAt, waiting } = this;
    const { lastSealAt } = sealing;
    const verdict = verdictOn({
      ...{ now, projections, reactors, disk, lastBackupAt, ...failed },
      ...this.lastWaiting,
      unsealedSince: sinceStart(sealing.unsealedSince, startedAt),
      sealSeconds: sources.sealSeconds,
      requestDelay: this.requestDelay(now),
    });
    const { size, bytes } = sources.queues();
    const samples = this.samples.since(since);
    const known = { disk, lastSealAt, lastBackupAt, waiting, ...failed, startedAt, samples };
    return { verdict, now, queues: { size, bytes }, ...known };
  }

  /** Takes a sample, unless the one before is still being taken, which is the case while a store does not answer. */
  private async takeAlone(sources: OverviewSources, lags: ReactorLags): Promise<void> {
    if (this.isTaking) return;
    this.isTaking = true;
    try {
      await this.take(sources, lags);
    } catch (err) {
      sources.logger.warn({ err }, 'Figures could not be taken');
    } finally {
      this.isTaking = false;
    }
  }

  private async take(sources: OverviewSources, lags: ReactorLags): Promise<void> {
    const [{ freeBytes }, waiting] = await Promise.all([
      diskOf(sources.dataDirectory),
      this.readWaiting(sources),
      lags.read(sources.reactors()).catch((err: unknown) => {
        sources.logger.warn({ err }, 'How far reactors are behind the log could not be read');
      }),
    ]);
    const now = Date.now();
    const { size, bytes } = sources.queues();
    const models = sources
      .models()
      .map(({ projection, lagMilliseconds }) => [`lag:${projection}`, lagMilliseconds / 1000] as const);
    this.samples.add(now, {
      events: this.events / (Math.max(SAMPLE_EVERY, now - this.lastTakenAt) / 1000),
      freeBytes,
      queues: size,
      queueBytes: bytes,
      mails: waiting.mails.count,
      notifications: waiting.notifications.count,
      ...Object.fromEntries(models),
      ...Object.fromEntries(lags.seconds(now).map(([name, seconds]) => [`reactor-lag:${name}`, seconds])),
      ...this.delaysSince(sources),
    });
    this.events = 0;
    this.lastTakenAt = now;
  }

  /** Metrics show what waits, even if the rest of the sample cannot be taken. */
  private async readWaiting({ waiting }: OverviewSources): Promise<typeof this.lastWaiting> {
    this.lastWaiting = await waiting();
    return this.lastWaiting;
  }

  private delaysSince(sources: OverviewSources): Sample {
    const figures = Object.entries(sources.eventLoops()).map(([thread, delays]) => {
      const read = delays.read();
      const before = this.delays.get(thread);
      this.delays.set(thread, read);
      return [`delay:${thread}`, before === undefined ? null : quantile(before, read)] as const;
    });
    return Object.fromEntries(figures);
  }

  private requestDelay(now: number): number {
    const { figures } = this.samples.since(now - DELAY_SAMPLES * SAMPLE_EVERY);
    const known = (figures['delay:request'] ?? []).filter((one) => one !== null).sort((a, b) => a - b);
    // The median: one slow moment does not matter to an operator, half a minute does.
    return known[Math.floor(known.length / 2)] ?? 0;
  }
}

/** The later of two moments: what was appended before the process started could not be sealed while no process ran. */
function sinceStart(moment: number | null, startedAt: number): number | null {
  return moment === null ? null : Math.max(moment, startedAt);
}

/** The 99th percentile of the delays between two readings, in seconds; null: there were none. */
function quantile(before: CountedDelays, after: CountedDelays): number | null {
  const count = after.count - before.count;
  if (count <= 0) return null;
  const bucket = after.upTo.findIndex((upTo, index) => upTo - before.upTo[index]! >= count * 0.99);
  return delayBuckets[bucket] ?? delayBuckets.at(-1)! * 2;
}

async function diskOf(directory: string): Promise<ServerFacts['disk']> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
