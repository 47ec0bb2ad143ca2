import type { Duty } from '../../../projections/engine/duty.js';
import { commandIdOf } from '../../event-store/event-id.js';
import type { EventLog } from '../../event-store/event-log.js';
import { WrongExpectedRevisionError, type PersistedEvent } from '../../event-store/port.js';
import type { Clock } from '../../kernel/clock.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { LogSealed, sealsStream } from '../events.js';
import { MerkleFrontier } from '../merkle/frontier.js';
import { leafOf } from './leaf.js';

/** When the log is sealed: as soon as one of the two is reached. */
export interface SealingInterval {
  readonly events: number;
  readonly milliseconds: number;
}

/** What {@link SealLog} works with. */
export interface SealLogOptions {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly interval: SealingInterval;
}

/** How far the log was read since a seal. */
interface Unsealed {
  /** Revision of the seal; null: there is none yet. */
  readonly seal: number | null;
  readonly frontier: MerkleFrontier;
  /** Everything up to here is in the frontier; null: nothing is. */
  position: number | null;
  last: Pick<PersistedEvent, 'stream' | 'revision'> | null;
  /** How many events came since the seal that are no seals themselves. */
  events: number;
  /** When the first of them was decided. */
  since: number;
}

type Sealed = RecordedEvent<EventOf<typeof LogSealed>>;

/**
 * Seals the log every so many events or seconds. All that it remembers is how far it has read; what it goes on from stands in
 * the last seal, so that neither a start nor another process that takes over reads the log from its beginning.
 */
export class SealLog implements Duty {
  readonly name = 'seal-log';
  readonly everyMilliseconds = 1_000;
  private unsealed: Unsealed | null = null;

  constructor(private readonly options: SealLogOptions) {}

  /** A value, since duties are called without their object. */
  readonly perform = async (): Promise<void> => {
    const unsealed = await this.readOn();
    const { events, milliseconds } = this.options.interval;
    const age = this.options.clock.now() - unsealed.since;
    if (unsealed.events >= events || (unsealed.events > 0 && age >= milliseconds)) await this.seal(unsealed);
  };

  /** Seals all that the log holds, however little came since the last seal. */
  async sealNow(): Promise<void> {
    const unsealed = await this.readOn();
    if (unsealed.events > 0) await this.seal(unsealed);
  }

  private async readOn(): Promise<Unsealed> {
    const { log } = this.options;
    const [last] = await log.readStream(sealsStream, { direction: 'backwards', limit: 1 });
    if (this.unsealed === null || this.unsealed.seal !== (last?.revision ?? null)) {
      this.unsealed = await this.begin((last as unknown as Sealed | undefined) ?? null);
    }
    const { unsealed } = this;
    for await (const { events } of log.store.readAll({ after: unsealed.position })) {
      for (const event of events) take(unsealed, event);
    }
    return unsealed;
  }

  private async begin(seal: Sealed | null): Promise<Unsealed> {
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
    const event = {
      type: LogSealed.type,
      data: {
        size,
        root: frontier.root().toString('hex'),
        peaks: frontier.peaks.map((peak) => peak.toString('hex')),
        last: { stream, revision },
      },
    };
    const commandId = commandIdOf([this.name, String(size)]);
    const metadata = { actorId: null, commandId, causationId: null, client: 'palimpsest', at: clock.now() };
    try {
      await log.append({ stream: sealsStream, expected: seal ?? 'no-stream' }, [event], metadata);
    } catch (error) {
      // Another process sealed meanwhile: the next look goes on from there.
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
    }
    this.unsealed = null;
  }
}

function take(unsealed: Unsealed, event: PersistedEvent): void {
  unsealed.frontier.append(leafOf(event));
  unsealed.position = event.position;
  unsealed.last = event;
  if (event.stream === sealsStream) return;
  if (unsealed.events === 0) unsealed.since = Number(event.metadata['at'] ?? 0);
  unsealed.events += 1;
}
