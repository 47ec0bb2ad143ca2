import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import type {
  sendUnaryData,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
} from '@grpc/grpc-js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { receiveAppend, storeAppend } from './append.js';
import { Endpoint } from './endpoint.js';
import { supportedMethods } from './features.js';
import { StandInLog } from './log.js';
import { GrpcFailure } from './messages.js';
import { Read } from './read.js';

/** Options of {@link EventStoreDbStandIn.start}. */
export interface StandInOptions {
  /** Holds the log; the stand-in continues the one that it finds there. */
  readonly directory: string;
  /** 0, unless given: any free port. */
  readonly port?: number;
  /** How many events a live subscriber may lie behind before it gets "Consumer too slow". */
  readonly liveBuffer?: number;
}

/**
 * Speaks EventStoreDB's gRPC protocol (reading, unary appends, subscriptions to `$all`) as observed of the real server,
 * over the embedded store's file. Its controls bring about what a real server does at bad moments.
 */
export class EventStoreDbStandIn {
  #log: StandInLog;
  #endpoint: Endpoint;
  #acknowledgementsToDrop = 0;
  #appends = 0;
  #subscriptions = 0;
  #slowConsumers = 0;
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
  }: StandInOptions): Promise<EventStoreDbStandIn> {
    const standIn = new EventStoreDbStandIn({ directory, port, liveBuffer });
    await standIn.#endpoint.listen(port);
    return standIn;
  }

  /** As the client takes it; the same after a restart. */
  get connectionString(): string {
    return `esdb://127.0.0.1:${this.#endpoint.port}?tls=false`;
  }

  /** How many appends were received so far. */
  get appends(): number {
    return this.#appends;
  }

  /** How many subscriptions clients have open now. */
  get subscriptions(): number {
    return this.#subscriptions;
  }

  /** How many live subscriptions were ended so far because their consumer was too slow. */
  get slowConsumers(): number {
    return this.#slowConsumers;
  }

  /** Breaks every connection; new ones are accepted at once. */
  dropConnections(): void {
    this.#endpoint.dropConnections();
  }

  /** Stores the next appends, and breaks every connection instead of acknowledging each. */
  dropNextAcknowledgements(count: number): void {
    this.#acknowledgementsToDrop = count;
  }

  /** From now on requests are accepted but not worked on. */
  stall(): void {
    this.#stalled = new Promise((resolve) => (this.#resume = resolve));
  }

  resume(): void {
    this.#resume();
    this.#stalled = Promise.resolve();
  }

  /** Goes away at once, as if killed. */
  async stop(): Promise<void> {
    await this.#endpoint.close();
    await this.#log.close();
  }

  /** Comes back on the same port with the same log. */
  async restart(): Promise<void> {
    const { port } = this.#endpoint;
    this.#log = this.#openLog();
    this.#endpoint = this.#openEndpoint();
    await this.#endpoint.listen(port);
  }

  #openLog(): StandInLog {
    return new StandInLog(join(this.options.directory, 'eventstoredb-stand-in.sqlite'));
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
      const response = await storeAppend(this.#log, append);
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
    try {
      await this.#stalled;
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

function toFailure(error: unknown): GrpcFailure {
  return error instanceof GrpcFailure ? error : new GrpcFailure(status.UNAVAILABLE, 'Server Is Not Ready');
}
