import { randomUUID } from 'node:crypto';
import { status, type ServerWritableStream } from '@grpc/grpc-js';
import streams, { type ReadReq, type ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { PersistedEvent } from '../../../src/stores/event-store/port.js';
import type { StandInLog } from './log.js';
import {
  caughtUpMessage,
  checkpointMessage,
  confirmationMessage,
  eventMessage,
  GrpcFailure,
  streamName,
  streamNotFoundMessage,
} from './messages.js';

type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

const PAGE = 256;
/** How many events a filtered subscription scans at once, unless the client sets another number. */
const DEFAULT_WINDOW = 32;

/** One read call of any kind. */
export class Read {
  readonly #options: ReadReq.Options;
  readonly #backwards: boolean;

  constructor(
    private readonly call: ReadCall,
    private readonly log: StandInLog,
    /** How many events a live subscriber may be behind before its subscription is ended. */
    private readonly liveBuffer: number,
  ) {
    this.#options = call.request.getOptions()!;
    this.#backwards = this.#options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  }

  /** @throws a gRPC failure as the real server reports it */
  async run(): Promise<void> {
    if (this.#options.hasStream()) await this.#readStream();
    else if (this.#options.hasSubscription()) await this.#subscribe();
    else await this.#readAll();
  }

  async #readStream(): Promise<void> {
    const options = this.#options.getStream()!;
    const stream = streamName(options.getStreamIdentifier());
    const events = this.log.readStream(stream, {
      from: options.hasRevision() ? Number(options.getRevision()) : undefined,
      backwards: this.#backwards,
      limit: this.#count(),
    });
    if (!events) return this.#send(streamNotFoundMessage(stream));
    for (const event of events) await this.#send(eventMessage(event));
  }

  /** Forwards, it begins with the record at the given position; backwards, with the one before. */
  async #readAll(): Promise<void> {
    let from = this.#backwards ? this.#startOr(Infinity) : this.#startOr(0) - 1;
    for (let left = this.#count(); left > 0 && !this.call.cancelled;) {
      const range = { from, limit: Math.min(PAGE, left) };
      const records = this.#backwards ? this.log.recordsBefore(range) : this.log.recordsAfter(range);
      if (records.length === 0) return;
      for (const record of records) await this.#send(eventMessage(record));
      from = records.at(-1)!.position;
      left -= records.length;
    }
  }

  async #subscribe(): Promise<void> {
    const matches = this.#filter();
    const interval = this.#checkpointInterval();
    let position = this.#startOr(0);
    let seen = 0;
    let live = false;
    await this.#send(confirmationMessage(randomUUID()));
    while (!this.call.cancelled) {
      const records = this.log.recordsAfter({ from: position, limit: PAGE });
      for (const record of records) {
        position = record.position;
        seen += 1;
        if (matches(record)) await this.#send(eventMessage(record), live ? position : undefined);
        if (seen % interval === 0) await this.#send(checkpointMessage(position), live ? position : undefined);
      }
      if (records.length > 0) continue;
      if (!live) await this.#send(caughtUpMessage());
      live = true;
      await this.#nextCommit(position);
    }
  }

  #count(): number {
    const count = Number(this.#options.getCount());
    if (count < 1) throw new GrpcFailure(status.UNKNOWN, 'Exception was thrown by handler.');
    return count;
  }

  #startOr(otherwise: number): number {
    const all = this.#options.getAll()!;
    if (all.hasStart()) return 0;
    if (!all.hasPosition()) return otherwise;
    const position = Number(all.getPosition()!.getCommitPosition());
    if (!this.log.isReadable(position))
      throw new GrpcFailure(status.UNKNOWN, 'Unexpected ReadAllResult: Error');
    return position;
  }

  #filter(): (event: PersistedEvent) => boolean {
    const filter = this.#options.getFilter();
    if (!filter) return () => true;
    const byType = filter.hasEventType();
    const expression = (byType ? filter.getEventType() : filter.getStreamIdentifier())!;
    const prefixes = expression.getPrefixList();
    const regex = new RegExp(expression.getRegex(), 'u');
    return (event) => {
      const text = byType ? event.type : event.stream;
      return prefixes.length > 0 ? prefixes.some((prefix) => text.startsWith(prefix)) : regex.test(text);
    };
  }

  #checkpointInterval(): number {
    const filter = this.#options.getFilter();
    if (!filter) return Infinity;
    return (filter.getMax() || DEFAULT_WINDOW) * filter.getCheckpointintervalmultiplier();
  }

  /** Waits for a slow reader: without limit while it catches up, but a live one only until too many events after `livePosition` are waiting. */
  async #send(message: ReadResp, livePosition?: number): Promise<void> {
    if (this.call.cancelled || this.call.write(message)) return;
    let tooSlow = false;
    await this.#until('drain', () => {
      tooSlow = livePosition !== undefined && this.log.countAfter(livePosition) > this.liveBuffer;
      return tooSlow;
    });
    if (tooSlow) {
      const reason = 'Consumer too slow to handle event while live. Client resubscription required.';
      throw new GrpcFailure(status.ABORTED, `Operation timed out: ${reason}`);
    }
  }

  #nextCommit(position: number): Promise<void> {
    return this.#until('cancelled', () => this.log.recordsAfter({ from: position, limit: 1 }).length > 0);
  }

  /** Resolves at an event of the call, when it is cancelled, or when a commit has made `done` true. */
  async #until(event: 'cancelled' | 'drain', done: () => boolean): Promise<void> {
    if (this.call.cancelled || done()) return;
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        this.log.offCommit(onCommit);
        this.call.off(event, finish).off('cancelled', finish);
        resolve();
      };
      const onCommit = (): void => {
        if (done()) finish();
      };
      this.log.onCommit(onCommit);
      this.call.on(event, finish).on('cancelled', finish);
    });
  }
}
