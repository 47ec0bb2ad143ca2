import { sign, type KeyObject } from 'node:crypto';
import type { Job } from '../../../projections/engine/background-work.js';
import { appendIfFirst } from '../../stores/event-store/append-if-first.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { HeadRecords } from '../../stores/event-store/head-record.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import { lastSeal } from '../../stores/event-store/seals.js';
import type { Clock } from '../../kernel/clock.js';
import type { Recorded } from '../../kernel/event.js';
import { TimeSlice } from '../../runtime/time-slice.js';
import type { TagKey } from '../../stores/event-store/tags/event-tag.js';
import { type LogSealed, SEALS_STREAM } from '../../events/audit.js';
import { MerkleFrontier } from '../../stores/event-store/merkle/frontier.js';
import { headRecordOf, readHeadRecord, type LogEnd } from '../../stores/event-store/merkle/head-record.js';
import { leafOf } from '../../stores/event-store/merkle/hashing.js';
import { decideSealLog, isSealDue, type SealingInterval } from './sealing.decide.js';
import { sealInput, type SealedFacts } from './signed-tree-head.js';
import { publicKeyText } from './signing-key.js';

/** Options of {@link SealLog}. */
interface SealLogOptions {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly interval: SealingInterval;
  /**
   * The keys for signing seals and for checking the log's end; absent: seals are unsigned, and the end is not checked.
   */
  readonly authority?: SealingAuthority;
}

/** The keys and records by which only this server can vouch for its log. */
interface SealingAuthority {
  /** Ed25519. */
  readonly signingKey: KeyObject;
  readonly headRecords: HeadRecords;
  readonly tagKey: TagKey;
}

/** The log's end is not as this server wrote it, so the log is not sealed. */
export class LogChangedError extends Error {
  override readonly name = 'LogChangedError';
  constructor(place: string) {
    super(
      `The log up to ${place} is not what this server wrote, so it is not sealed: run "palimpsest audit verify"`,
    );
  }
}

/** What was read of the log since a seal. */
interface Unsealed {
  /** Revision of the seal; null: there is no seal yet. */
  readonly seal: number | null;
  readonly frontier: MerkleFrontier;
  /** The frontier includes everything up to this position; null: it is empty. */
  position: number | null;
  last: Pick<PersistedEvent, 'stream' | 'revision'> | null;
  /** Number of events since the seal, without seals. */
  events: number;
  /** When the first of them was decided, in milliseconds since the UNIX epoch. */
  since: number;
}

/** The recorded end of the log; null: there is no record. */
type Expected = LogEnd | null;

/**
 * Seals the log after a number of events or seconds. Its only state is how far it has read. It continues from the tree
 * in the last seal, so that neither a restart nor another process has to read the log from the beginning.
 */
export class SealLog implements Job {
  readonly name = 'seal-log';
  readonly everyMilliseconds = 1_000;
  private unsealed: Unsealed | null = null;

  constructor(private readonly options: SealLogOptions) {}

  /** An arrow function, because jobs are called without their object. */
  readonly perform = async (): Promise<void> => {
    const unsealed = await this.readOn();
    const { interval, clock } = this.options;
    if (isSealDue(unsealed, interval, clock.now())) await this.seal(unsealed);
  };

  private async readOn(): Promise<Unsealed> {
    const { log } = this.options;
    const seal = await lastSeal(log);
    if (this.unsealed === null || this.unsealed.seal !== (seal?.revision ?? null)) {
      this.unsealed = await this.begin(seal);
    }
    const { unsealed } = this;
    // Cleared until everything was found sound, so that after an error the next run starts again at the seal.
    this.unsealed = null;
    const expected = await this.expectedEnd();
    assertAsExpected(unsealed, expected);
    const slice = new TimeSlice();
    for await (const { events } of log.store.readAll({ after: unsealed.position })) {
      for (const event of events) {
        if (slice.isOver) await slice.next();
        log.assertGenuine([event]);
        take(unsealed, event);
        assertAsExpected(unsealed, expected);
      }
    }
    if (expected !== null && unsealed.frontier.size < expected.size)
      throw new LogChangedError(`position ${expected.position}`);
    await this.noteEnd(unsealed, expected);
    this.unsealed = unsealed;
    return unsealed;
  }

  /** Read before the log, so that it is never ahead of what is read. */
  private async expectedEnd(): Promise<Expected> {
    const { authority } = this.options;
    const record = (await authority?.headRecords.read()) ?? null;
    if (authority === undefined || record === null) return null;
    const end = readHeadRecord(record, authority.tagKey);
    if (end === null) throw new LogChangedError('its recorded end');
    return end;
  }

  /**
   * Advances the record of the log's end, in stores that do not update it with each append. A record that is missing
   * is not created.
   */
  private async noteEnd({ frontier, position }: Unsealed, expected: Expected): Promise<void> {
    const { authority } = this.options;
    if (authority === undefined || authority.headRecords.isExact) return;
    if (expected === null || position === null || expected.size >= frontier.size) return;
    const { size, peaks } = frontier;
    await authority.headRecords.write(headRecordOf({ position, size, peaks }, authority.tagKey));
  }

  private async begin(seal: Recorded<typeof LogSealed> | null): Promise<Unsealed> {
    const nothing = { last: null, events: 0, since: 0 };
    if (seal === null) return { seal: null, frontier: MerkleFrontier.empty(), position: null, ...nothing };
    const { size, peaks, last } = seal.data;
    const [event] = await this.options.log.store.readStream(last.stream, { from: last.revision, limit: 1 });
    if (event === undefined)
      throw new Error(`The last sealed event, ${last.stream}@${last.revision}, is gone`);
    const frontier = MerkleFrontier.of(
      size,
      peaks.map((peak) => Buffer.from(peak, 'hex')),
    );
    return { seal: seal.revision, frontier, position: event.position, ...nothing, last };
  }

  private async seal({ seal, frontier, last }: Unsealed): Promise<void> {
    const { log, clock } = this.options;
    const { size } = frontier;
    const { stream, revision } = last!;
    const facts = {
      size,
      root: frontier.root().toString('hex'),
      peaks: frontier.peaks.map((peak) => peak.toString('hex')),
      last: { stream, revision },
    };
    const events = decideSealLog(facts, this.signatureOf(facts));
    const commandId = commandIdOf([this.name, String(size)]);
    const metadata = { actorId: null, commandId, causationId: null, client: 'palimpsest', at: clock.now() };
    const target = { stream: SEALS_STREAM, expected: seal ?? ('no-stream' as const) };
    // If another process made a seal meanwhile, the next run continues from that.
    await appendIfFirst(log, { target, events, metadata });
    this.unsealed = null;
  }

  private signatureOf(said: SealedFacts): Recorded<typeof LogSealed>['data']['signature'] {
    const { authority } = this.options;
    if (authority === undefined) return null;
    const { signingKey } = authority;
    const value = sign(null, sealInput(said), signingKey).toString('base64');
    return { publicKey: publicKeyText(signingKey), value };
  }
}

/** @throws LogChangedError when as many events as were recorded have another root */
function assertAsExpected({ frontier, last }: Unsealed, expected: Expected): void {
  if (expected === null || frontier.size !== expected.size) return;
  const isSame = Buffer.concat(frontier.peaks).equals(Buffer.concat(expected.peaks));
  if (!isSame) throw new LogChangedError(last === null ? 'its last seal' : `${last.stream}@${last.revision}`);
}

function take(unsealed: Unsealed, event: PersistedEvent): void {
  unsealed.frontier.append(leafOf(event));
  unsealed.position = event.position;
  unsealed.last = event;
  if (event.stream === SEALS_STREAM) return;
  if (unsealed.events === 0) unsealed.since = Number(event.metadata['at'] ?? 0);
  unsealed.events += 1;
}
