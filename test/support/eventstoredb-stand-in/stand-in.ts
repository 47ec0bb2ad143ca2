import { join } from 'node:path';
import {
  status,
  type sendUnaryData,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { MAX_APPEND_BYTES } from '../../../src/stores/event-store/port.js';
import { receiveAppend, storeAppend } from './append.js';
import { Endpoint } from './endpoint.js';
import { supportedMethods } from './features.js';
import { StandInLog } from './log.js';
import { GrpcFailure, streamName } from './messages.js';
import { Read } from './read.js';

/** Options of {@link EventStoreDbStandIn.start}. */
export interface StandInOptions {
  /** Directory of the log; an existing log is continued. */
  readonly directory: string;
  /** Absent or 0: any free port. */
  readonly port?: number;
  /** How many events a live subscriber may be behind before it gets "Consumer too slow". */
  readonly liveBuffer?: number;
  /** Maximum bytes of data in an append: operators can configure less than the server's own limit. */
  readonly maxAppendBytes?: number;
  /** Whether it recognises a repeated append; a real server may have forgotten it. */
  readonly remembersIds?: boolean;
}

/** The requests to a stand-in since it started. */
export interface StandInCounts {
  readonly appends: number;
  /** By stream, without subscriptions. */
  readonly reads: Readonly<Record<string, number>>;
}

/**
 * Speaks EventStoreDB's gRPC protocol (reads, unary appends, subscriptions to `$all`) as observed on the real server, on the embedded
 * store's file. Its controls cause the faults of a real server.
 */
export class EventStoreDbStandIn {
  #log: StandInLog;
  #endpoint: Endpoint;
  #acknowledgementsToDrop = 0;
  #appends = 0;
  readonly #appendsOf = new Map<string, number>();
  #reads = 0;
  readonly #readsOf = new Map<string, number>();
  #readsOfAll = 0;
  #subscriptions = 0;
  #subscriptionsOpened = 0;
  #slowConsumers = 0;
  #refusal: GrpcFailure | null = null;
  #stalled: Promise<void> = Promise.resolve();
  #resume: () => void = () => undefined;

  private constructor(private readonly options: Required<StandInOptions>) {
    this.#log = this.#openLog();
    this.#endpoint = this.#openEndpoint();
  }

  static async start({
    directory,
    port = 0,
    liveBuffer = 100,
    maxAppendBytes = MAX_APPEND_BYTES,
    remembersIds = true,
  }: StandInOptions): Promise<EventStoreDbStandIn> {
    const standIn = new EventStoreDbStandIn({ directory, port, liveBuffer, maxAppendBytes, remembersIds });
    await standIn.#endpoint.listen(port);
    return standIn;
  }

  /** For the client; the same after a restart. */
  get connectionString(): string {
    return `esdb://127.0.0.1:${this.#endpoint.port}?tls=false`;
  }

  /** The number of appends received so far. */
  get appends(): number {
    return this.#appends;
  }

  /** The same, for one stream. */
  appendsOf(stream: string): number {
    return this.#appendsOf.get(stream) ?? 0;
  }

  /** The number of stream reads received so far. */
  get reads(): number {
    return this.#reads;
  }

  /** The same, for one stream. */
  readsOf(stream: string): number {
    return this.#readsOf.get(stream) ?? 0;
  }

  /** How often clients read the log of all streams, such as for where it ends; subscriptions are left out. */
  get readsOfAll(): number {
    return this.#readsOfAll;
  }

  get counts(): StandInCounts {
    return { appends: this.#appends, reads: Object.fromEntries(this.#readsOf) };
  }

  /** The number of open subscriptions. */
  get subscriptions(): number {
    return this.#subscriptions;
  }

  /** The number of subscriptions opened so far. */
  get subscriptionsOpened(): number {
    return this.#subscriptionsOpened;
  }

  /** The number of live subscriptions that were ended because their consumer was too slow. */
  get slowConsumers(): number {
    return this.#slowConsumers;
  }

  /** Breaks every connection; new ones are accepted. */
  dropConnections(): void {
    this.#endpoint.dropConnections();
  }

  /** Stores the next appends, but breaks every connection instead of acknowledging them. */
  dropNextAcknowledgements(count: number): void {
    this.#acknowledgementsToDrop = count;
  }

  /** Makes every read fail with a status, as for a user without permission; null: reads succeed again. */
  refuseReads(code: status | null): void {
    this.#refusal = code === null ? null : new GrpcFailure(code, 'Refused');
  }

  /** From now on, requests are accepted but not handled. */
  stall(): void {
    this.#stalled = new Promise((resolve) => (this.#resume = resolve));
  }

  resume(): void {
    this.#resume();
    this.#stalled = Promise.resolve();
  }

  /** Ends at once, as if killed. */
  async stop(): Promise<void> {
    await this.#endpoint.close();
    await this.#log.close();
  }

  /** Starts again on the same port with the same log. */
  async restart(): Promise<void> {
    const { port } = this.#endpoint;
    this.#log = this.#openLog();
    this.#endpoint = this.#openEndpoint();
    await this.#endpoint.listen(port);
  }

  #openLog(): StandInLog {
    return new StandInLog(
      join(this.options.directory, 'eventstoredb-stand-in.sqlite'),
      this.options.remembersIds,
    );
  }

  #openEndpoint(): Endpoint {
    return new Endpoint({
      append: (call, callback) => void this.#append(call, callback),
      read: (call) => void this.#read(call),
      getSupportedMethods: (
        _call: ServerUnaryCall<Empty, SupportedMethods>,
        callback: sendUnaryData<SupportedMethods>,
      ) => callback(null, supportedMethods()),
    });
  }

  async #append(
    call: ServerReadableStream<AppendReq, AppendResp>,
    callback: sendUnaryData<AppendResp>,
  ): Promise<void> {
    try {
      const append = await receiveAppend(call);
      await this.#stalled;
      if (!append) return;
      this.#appends += 1;
      countOne(this.#appendsOf, streamName(append.options.getStreamIdentifier()));
      const response = await storeAppend(this.#log, append, this.options.maxAppendBytes);
      if (this.#acknowledgementsToDrop > 0) {
        this.#acknowledgementsToDrop -= 1;
        this.dropConnections();
      } else callback(null, response);
    } catch (error) {
      callback(toFailure(error));
    }
  }

  async #read(call: ServerWritableStream<ReadReq, ReadResp>): Promise<void> {
    const subscription = call.request.getOptions()?.hasSubscription() ? 1 : 0;
    this.#subscriptions += subscription;
    this.#subscriptionsOpened += subscription;
    const options = call.request.getOptions();
    if (options?.hasAll() === true && !options.hasSubscription()) this.#readsOfAll += 1;
    const identifier = options?.getStream()?.getStreamIdentifier();
    if (identifier) {
      this.#reads += 1;
      countOne(this.#readsOf, streamName(identifier));
    }
    try {
      await this.#stalled;
      if (this.#refusal) throw this.#refusal;
      await new Read(call, this.#log, this.options.liveBuffer).run();
      call.end();
    } catch (error) {
      const failed = toFailure(error);
      if (failed.code === status.ABORTED) this.#slowConsumers += 1;
      call.emit('error', failed);
    } finally {
      this.#subscriptions -= subscription;
    }
  }
}

function countOne(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function toFailure(error: unknown): GrpcFailure {
  return error instanceof GrpcFailure ? error : new GrpcFailure(status.UNAVAILABLE, 'Server Is Not Ready');
}
