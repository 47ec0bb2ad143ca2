import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { EventCatalog } from '../../src/stores/event-store/catalog.js';
import { EventCodec } from '../../src/stores/event-store/codec.js';
import { openEmbeddedEventStore } from '../../src/stores/event-store/embedded/embedded-event-store.js';
import { EventLog } from '../../src/stores/event-store/event-log.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import type { ReadStreamOptions } from '../../src/stores/event-store/port.js';
import type { Fold } from '../../src/kernel/fold.js';
import {
  defineEvent,
  type DomainEvent,
  type EventMetadata,
  type EventOf,
  type RecordedEvent,
} from '../../src/kernel/event.js';
import type { AppendedEvents, AppendOutcome, CommandEvents } from '../../src/kernel/decision.js';
import { handle } from '../../src/kernel/handle.js';
import { Vault } from '../../src/stores/key-store/vault.js';
import type { ConsistentLog } from '../../src/http/consistency.js';
import type { Decisions } from '../../src/http/decisions.js';
import { decisionsOver } from '../support/decisions-over.js';
import { standIn } from '../support/stand-in.js';
import { MemoryKeyStore } from './memory-key-store.js';

const CoinsPaidIn = defineEvent({
  type: 'CoinsPaidIn',
  description: 'Coins were put into a box.',
  schema: z.strictObject({ coins: z.number().int(), note: z.string().optional() }),
  example: { coins: 3 },
});
export type CoinsPaidIn = EventOf<typeof CoinsPaidIn>;

export interface Box {
  readonly coins: number;
  readonly payments: readonly number[];
}

/** How many events were folded. */
export const counted = { evolved: 0 };

export const box: Fold<Box, RecordedEvent<CoinsPaidIn>> = {
  initial: { coins: 0, payments: [] },
  evolve(state, event) {
    counted.evolved += 1;
    return { coins: state.coins + event.data.coins, payments: [...state.payments, event.revision] };
  },
};

class CountingLog extends EventLog {
  reads = 0;
  /** The number of events that were read. */
  found = 0;
  appends = 0;
  beforeAppend: () => Promise<unknown> = async () => {};

  override async readStream(stream: string, options: ReadStreamOptions): Promise<readonly RecordedEvent[]> {
    this.reads++;
    const events = await super.readStream(stream, options);
    this.found += events.length;
    return events;
  }

  override async appendTogether<Event extends DomainEvent>(
    target: { readonly stream: string; readonly expected: number | 'no-stream' },
    commands: readonly CommandEvents<Event>[],
  ): Promise<readonly AppendOutcome<Event>[]> {
    await this.beforeAppend();
    this.appends++;
    return super.appendTogether(target, commands);
  }
}

export function metadata(commandId: string = randomUUID()): EventMetadata {
  return { actorId: 3, commandId, causationId: null, client: 'tests', at: 0 };
}

export function payments(...coins: number[]): CoinsPaidIn[] {
  return coins.map((amount) => ({ type: 'CoinsPaidIn', data: { coins: amount } }));
}

interface Payment {
  readonly stream?: string;
  readonly commandId?: string;
  readonly by?: FoldedStreams;
  readonly decide?: (state: Box, revision: number | null) => readonly CoinsPaidIn[];
  readonly attempts?: number;
}

/** A new log, and decisions about the boxes in it. */
export class GivenBoxes {
  readonly log: CountingLog;
  readonly streams: FoldedStreams;
  private readonly folder = mkdtempSync(join(tmpdir(), 'handle-'));

  constructor() {
    const key = () => createSecretKey(randomBytes(32));
    const serverKey = { wrapping: key(), lookup: key(), credentials: key(), links: key() };
    const codec = new EventCodec(
      new EventCatalog([CoinsPaidIn]),
      new Vault({ keyStore: new MemoryKeyStore(), serverKey }),
    );
    this.log = new CountingLog(openEmbeddedEventStore({ file: join(this.folder, 'log.sqlite') }), codec);
    this.streams = new FoldedStreams(this.log);
    counted.evolved = 0;
  }

  async close(): Promise<void> {
    await this.log.store.close();
    rmSync(this.folder, { recursive: true });
  }

  pay({
    stream = 'box',
    commandId,
    by = this.streams,
    decide = () => payments(1),
    attempts = 10,
  }: Payment = {}): Promise<AppendedEvents<CoinsPaidIn> | null> {
    return handle<Box, RecordedEvent<CoinsPaidIn>, CoinsPaidIn>(by, {
      stream,
      fold: box,
      decide,
      metadata: metadata(commandId),
      attempts,
    });
  }

  /** Decisions of another process on the same log, which wait for these readers. */
  decisionsThatWait(waitUntilReadable: (appended: AppendedEvents<DomainEvent>) => Promise<void>): Decisions {
    return decisionsOver(new FoldedStreams(this.log), standIn<ConsistentLog>({ waitUntilReadable }));
  }

  async coinsIn(stream = 'box'): Promise<number> {
    return (await new FoldedStreams(this.log).load({ stream, fold: box })).state.coins;
  }
}
