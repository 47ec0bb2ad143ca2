import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { User } from '../../../access/records/user.js';
import { AfterReply } from '../../../http/after-reply.js';
import { budgets } from '../../../kernel/budgets.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import type { FailedLogIn } from './log-in-failures.decide.js';
import { FAILURES_WINDOW } from './log-in-failures.state.js';
import { SecurityRecords } from './security-records.js';

/** Counted failures, with the times of the first and the last. */
interface Further {
  count: number;
  readonly since: number;
  until: number;
}

/** Failures of a person that are not recorded yet. */
interface Unrecorded {
  failures: FailedLogIn[];
  /** Time of the first of these failures, in milliseconds since the UNIX epoch. */
  since: number;
  further: Further | null;
  /** Ends the counting. */
  timer: NodeJS.Timeout | null;
  /** Whether recording is scheduled already. */
  isScheduled: boolean;
  /** Ends with the last of the appends under way and waiting, which happen one after another. Never rejects. */
  appending: Promise<void>;
}

/**
 * Records failed log-ins after their replies, so that neither a reply nor its duration reveals whether an
 * address has an account. The first ones of an hour are recorded individually, all others counted: one event
 * an hour, appended when the hour is over, when the person logs in, or when the process stops. Its memory is
 * bounded by the number of accounts.
 */
@Injectable()
export class FailedLogIns implements OnApplicationShutdown {
  private readonly unrecorded = new Map<number, Unrecorded>();

  constructor(
    private readonly records: SecurityRecords,
    private readonly afterReply: AfterReply,
    private readonly clock: SystemClock,
  ) {}

  /**
   * Notes a failed log-in, which is recorded later.
   *
   * @param person the owner of the address that was sent; null: nobody, and nothing is recorded
   */
  note(person: Pick<User, 'id' | 'isErased'> | null, failure: FailedLogIn): void {
    // Nothing can be encrypted any more for an erased person.
    if (person === null || person.isErased === true) return;
    const own = this.unrecordedOf(person.id);
    const isFull = own.failures.length >= budgets.recordedLogInFailures.max;
    if (own.further !== null || isFull) return this.count(person.id, own, 1);
    if (own.failures.length === 0) own.since = this.clock.now();
    own.failures.push(failure);
    if (own.isScheduled) return;
    own.isScheduled = true;
    this.afterReply.run(() => this.recordFailures(person.id));
  }

  /** Records everything noted for a person, who has just logged in. */
  async recordAll(userId: number): Promise<void> {
    await this.recordFailures(userId);
    await this.recordFurther(userId);
  }

  async onApplicationShutdown(): Promise<void> {
    for (const userId of [...this.unrecorded.keys()]) await this.recordAll(userId);
  }

  private unrecordedOf(userId: number): Unrecorded {
    const own = this.unrecorded.get(userId) ?? {
      failures: [],
      since: 0,
      further: null,
      timer: null,
      isScheduled: false,
      appending: Promise.resolve(),
    };
    this.unrecorded.set(userId, own);
    return own;
  }

  private count(userId: number, own: Unrecorded, failures: number): void {
    const now = this.clock.now();
    own.further ??= { count: 0, since: now, until: now };
    own.further.count += failures;
    own.further.until = now;
    own.timer ??= setTimeout(
      () => this.afterReply.run(() => this.recordFurther(userId)),
      FAILURES_WINDOW,
    ).unref();
  }

  private recordFailures(userId: number): Promise<void> {
    return this.withLock(userId, async (own) => {
      const { failures, since } = own;
      own.failures = [];
      own.isScheduled = false;
      if (failures.length === 0) return;
      const left = failures.length - (await this.records.failures(userId, failures, since));
      if (left > 0) this.count(userId, own, left);
    });
  }

  private recordFurther(userId: number): Promise<void> {
    return this.withLock(userId, async (own) => {
      const { further, timer } = own;
      if (further === null) return;
      if (timer !== null) clearTimeout(timer);
      own.further = null;
      own.timer = null;
      await this.records.furtherFailures({ userId, ...further });
    });
  }

  /** A stop of the process waits for the appends that are under way. */
  private async withLock(userId: number, append: (own: Unrecorded) => Promise<void>): Promise<void> {
    const own = this.unrecorded.get(userId);
    if (own === undefined) return;
    const appended = own.appending.then(() => append(own));
    const ended = appended.catch(() => undefined);
    own.appending = ended;
    try {
      await appended;
    } finally {
      const isLast = own.appending === ended;
      if (isLast && own.failures.length === 0 && own.further === null) this.unrecorded.delete(userId);
    }
  }
}
