import type { Job } from '../../projections/engine/background-work.js';
import type { DirectoryFollower } from '../access/directory-follower.js';
import type { LegalHolds } from '../audit/cases/legal-holds.js';
import { securityEvents } from '../events/security.js';
import type { Decisions } from '../http/decisions.js';
import type { Clock } from '../kernel/clock.js';
import { serverMetadata } from '../stores/event-store/command-metadata.js';
import { commandIdOf } from '../stores/event-store/event-id.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import { eventMetadataOf, keyIdOf } from '../stores/event-store/event-reading.js';
import type { PersistedEvent } from '../stores/event-store/port.js';
import type { Vault } from '../stores/key-store/vault.js';
import { erasures, type DiscardedRecord } from '../audit/cases/erasures.state.js';
import { decideEraseSecurityRecords, type HeldRecord } from '../audit/cases/erasures.decide.js';

/** What {@link EraseSecurityRecords} needs. */
interface EraseSecurityRecordsOptions {
  readonly log: EventLog;
  readonly vault: Pick<Vault, 'destroy'>;
  readonly follower: Pick<DirectoryFollower, 'current'>;
  readonly decisions: Pick<Decisions, 'record' | 'load'>;
  readonly clock: Clock;
  readonly legalHolds: Pick<LegalHolds, 'casesOfRecord'>;
}

const types = securityEvents.map(({ type }) => type);

/** Maximum number of events that one run erases; the next run continues. */
const PAGE_SIZE = 500;

const DAY_MILLISECONDS = 86_400_000;

const KEPT_FOR_EVER = -1;

/** Security events that are older than the retention period. */
interface Expired {
  /** Keys to destroy. */
  readonly keys: readonly string[];
  /** The events under legal holds, which are erased when the holds are lifted. */
  readonly held: readonly HeldRecord[];
}

/**
 * Erases the addresses and programs of log-ins and API keys after the organization's retention period (`security_retention_days`): it
 * destroys the keys of these events, which stay in the log. They are in the log in the order of their times, apart from those of a
 * clock that was wrong, so each run continues where the last one ended. An interrupted run can be repeated.
 */
export class EraseSecurityRecords implements Job {
  readonly name = 'erase-security-records';
  readonly everyMilliseconds = 10_000;
  readonly perform = (): Promise<void> => this.eraseExpired();

  /** All events up to this position were handled; null: unknown since the process started. It only saves reading. */
  private passed: number | null = null;
  /** The time of the oldest event that is left, or earlier; milliseconds since the UNIX epoch. */
  private oldest = 0;

  constructor(private readonly options: EraseSecurityRecordsOptions) {}

  private async eraseExpired(): Promise<void> {
    const { follower, clock, log, decisions } = this.options;
    const days = follower.current().organization?.settings.security_retention_days ?? KEPT_FOR_EVER;
    const now = clock.now();
    const keptSince = now - days * DAY_MILLISECONDS;
    if (days === KEPT_FOR_EVER || this.oldest >= keptSince) return;
    const { lastSecurityRecord } = await decisions.load(erasures);
    this.passed ??= await this.positionOf(lastSecurityRecord);
    let ahead: readonly PersistedEvent[] = [];
    for await (const page of log.store.readAll({ after: this.passed, types, pageSize: PAGE_SIZE })) {
      const events = [...ahead, ...page.events];
      const { expired, next } = divide(events, { keptSince, now });
      await this.erase(expired);
      this.passed = expired.at(-1)?.position ?? this.passed;
      if (next !== undefined) {
        this.oldest = timeOf(next);
        return;
      }
      ahead = events.slice(expired.length);
      if (ahead.length === 0) this.passed = page.position;
    }
    // All that is left is from now or later.
    if (ahead.length > 0) this.oldest = now;
  }

  private async positionOf(last: DiscardedRecord | null): Promise<number | null> {
    if (last === null) return null;
    const { store } = this.options.log;
    const [event] = await store.readStream(last.stream, { from: last.revision, limit: 1 });
    return event?.position ?? null;
  }

  /** Deferred events are recorded before any key is destroyed: once passed, an event is only found again by its record. */
  private async erase(events: readonly PersistedEvent[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    const { vault, decisions, clock } = this.options;
    const { keys, held } = await this.sort(events);
    await vault.destroy(keys);
    const metadata = serverMetadata(commandIdOf([this.name, last.id]), clock.now());
    await decisions.record(metadata, erasures, (state) =>
      decideEraseSecurityRecords(state, { last, count: keys.length, held }),
    );
  }

  private async sort(events: readonly PersistedEvent[]): Promise<Expired> {
    const position = (await this.options.log.store.head()) ?? 0;
    const keys: string[] = [];
    const held: HeldRecord[] = [];
    for (const event of events) {
      const key = keyIdOf(event);
      if (key === null) continue;
      const userId = Number(event.data['userId']);
      const caseIds = await this.options.legalHolds.casesOfRecord(userId, { position });
      const { stream, revision } = event;
      if (caseIds.length === 0) keys.push(key);
      else held.push({ stream, revision, caseIds });
    }
    return { keys, held };
  }
}

/**
 * The events at the beginning that have expired, and the first one that has not. An event from the future, recorded
 * while the clock was wrong, does not hold up the later ones: it goes together with the next one that expires.
 */
function divide(
  events: readonly PersistedEvent[],
  { keptSince, now }: { readonly keptSince: number; readonly now: number },
): { readonly expired: readonly PersistedEvent[]; readonly next: PersistedEvent | undefined } {
  const isKept = (event: PersistedEvent): boolean => timeOf(event) >= keptSince && timeOf(event) <= now;
  const next = events.findIndex(isKept);
  const passed = next < 0 ? events : events.slice(0, next);
  const last = passed.findLastIndex((event) => timeOf(event) < keptSince);
  return { expired: passed.slice(0, last + 1), next: events[next] };
}

/** Milliseconds since the UNIX epoch. */
function timeOf({ metadata }: PersistedEvent): number {
  return eventMetadataOf(metadata).at;
}
