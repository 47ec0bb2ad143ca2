import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Job } from '../../../projections/engine/background-work.js';
import type { Logger } from '../../../projections/engine/logger.js';
import type { Configuration } from '../../config.js';
import type { BackupThreadAnswer } from './backup-thread.js';
import { programVersion } from '../program-version.js';
import { lastBackup } from './last-backup.js';
import type { BackupOutcome, BackupRun } from './run-backup.js';

/** A backup that failed. The message comes from the thread. */
class BackupFailedError extends Error {
  override readonly name = 'BackupFailedError';
}

/** How often the job checks whether a backup is due. */
const LOOK_MILLISECONDS = 30_000;

/** The delay before a retry after a failure; `BACKUP_EVERY` if that is shorter. */
const RETRY_MILLISECONDS = 900_000;

/** Durations in milliseconds; `Infinity` where there was no backup or failure, negative after the clock was set back. */
interface BackupTimes {
  readonly everyMilliseconds: number;
  readonly sinceLast: number;
  readonly sinceFailure: number;
}

/** Whether a backup is due. One that seems to be from the future says nothing about its age, so that another is made. */
export function isBackupDue({ everyMilliseconds, sinceLast, sinceFailure }: BackupTimes): boolean {
  const isWithin = (since: number, duration: number): boolean => since >= 0 && since < duration;
  if (isWithin(sinceFailure, Math.min(everyMilliseconds, RETRY_MILLISECONDS))) return false;
  return !isWithin(sinceLast, everyMilliseconds);
}

/** Makes a backup every `BACKUP_EVERY` seconds, in a separate thread. */
export class ScheduledBackups implements Job {
  readonly name = 'back-up';
  readonly everyMilliseconds = LOOK_MILLISECONDS;
  private thread: Worker | null = null;
  private failedAt = -Infinity;
  /** Since when the backups that are due could not begin, because another one was being made; null: they can. */
  private skippedSince: number | null = null;
  private failures: Counter | null = null;

  constructor(
    private readonly configuration: Configuration,
    private readonly logger: Logger,
    private readonly now: () => number,
  ) {}

  /** Adds metrics for the age of the last backup and the number of failures. */
  watch(registry: Registry): void {
    const { configuration, now } = this;
    this.failures = new Counter({
      name: 'palimpsest_backup_failures_total',
      help: 'Scheduled backups (BACKUP_EVERY) that failed',
      registers: [registry],
    });
    new Gauge({
      name: 'palimpsest_backup_interval_seconds',
      help: 'Interval of scheduled backups (BACKUP_EVERY); 0: the server makes no scheduled backups',
      registers: [registry],
    }).set(configuration.backup.everySeconds ?? 0);
    new Gauge({
      name: 'palimpsest_backup_age_seconds',
      help: 'Time since the start of the latest backup, made by the server or by a command; absent: there is no backup',
      registers: [registry],
      async collect() {
        this.reset();
        const last = await lastBackup(configuration.dataDirectory);
        if (last === null) this.remove();
        else this.set(Math.max(0, now() - Date.parse(last.madeAt)) / 1000);
      },
    });
    new Gauge({
      name: 'palimpsest_backup_bytes',
      help: 'Size of the files of the latest backup',
      registers: [registry],
      async collect() {
        this.set((await lastBackup(configuration.dataDirectory))?.bytes ?? 0);
      },
    });
  }

  perform = async (): Promise<void> => {
    const { everySeconds } = this.configuration.backup;
    if (everySeconds === null) return;
    const last = await lastBackup(this.configuration.dataDirectory);
    const sinceLast = last === null ? Infinity : this.now() - Date.parse(last.madeAt);
    const sinceFailure = this.now() - this.failedAt;
    const everyMilliseconds = everySeconds * 1000;
    if (!isBackupDue({ everyMilliseconds, sinceLast, sinceFailure })) {
      this.skippedSince = null;
      return;
    }
    try {
      const outcome = await this.make();
      // The backup that a command is making counts, if it is completed: the next look finds its note.
      if (outcome === null) return this.noteSkip(everyMilliseconds, last?.madeAt ?? null);
      this.skippedSince = null;
      const { expired, ...made } = outcome;
      const age = last === null ? null : Math.round(sinceLast / 1000);
      this.logger.info({ backup: made, expired, secondsSinceLast: age }, 'Backed up');
    } catch (error) {
      this.skippedSince = null;
      this.failedAt = this.now();
      this.failures?.inc();
      const fields = { lastBackup: last?.madeAt ?? null, reason: (error as Error).message };
      this.logger.error(fields, 'A backup could not be made');
    }
  };

  /** Cancels a running backup, after its present database statement. A later backup removes the files that it wrote. */
  async stop(): Promise<void> {
    const { thread } = this;
    if (thread === null) return;
    // An error of the thread is reported by the backup.
    const ended = once(thread, 'exit').catch(() => undefined);
    thread.postMessage('stop');
    await ended;
  }

  /** Tells of the first skip, and counts a failure each time that none could begin for the interval of backups. */
  private noteSkip(everyMilliseconds: number, lastBackup: string | null): void {
    const now = this.now();
    if (this.skippedSince === null) {
      this.skippedSince = now;
      this.logger.warn({ lastBackup }, 'A backup is due, but another one is being made');
    } else if (now - this.skippedSince >= everyMilliseconds) {
      this.skippedSince = now;
      this.failures?.inc();
      const reason = 'Another backup of this data directory has been running since the last one was due';
      this.logger.error({ lastBackup, reason }, 'A backup could not be made');
    }
  }

  /** Null: another backup is being made. */
  protected make(): Promise<BackupOutcome | null> {
    const { dataDirectory, eventStoreUrl, mongodbUrl, serverKeyFile, backup } = this.configuration;
    const { keep, erasedDays, recipient, withServerKey, s3, to } = backup;
    const workerData: BackupRun = {
      stores: { dataDirectory, eventStoreUrl, mongodbUrl, serverKeyFile },
      backup: { keep, erasedDays, recipient, withServerKey, s3 },
      to: to!,
      program: programVersion(),
    };
    return new Promise((resolve, reject) => {
      const thread = new Worker(new URL('./backup-thread.js', import.meta.url), { workerData });
      this.thread = thread;
      thread.once('message', (answer: BackupThreadAnswer) => {
        if ('made' in answer) resolve(answer.made);
        else reject(new BackupFailedError(answer.fault));
      });
      thread.once('error', reject);
      thread.once('exit', () => {
        this.thread = null;
        reject(new BackupFailedError('It was ended before it was done'));
      });
    });
  }
}
