import { createServer, type AddressInfo, type Socket } from 'node:net';
import {
  Server,
  ServerCredentials,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
} from '@grpc/grpc-js';
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import type { AppendReq, AppendResp, ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';

/** Answers the calls. */
export interface Handlers {
  readonly append: handleClientStreamingCall<AppendReq, AppendResp>;
  readonly read: handleServerStreamingCall<ReadReq, ReadResp>;
  readonly getSupportedMethods: handleUnaryCall<Empty, SupportedMethods>;
}

/** A gRPC server behind a TCP listener of its own, so that tests can break its connections. */
export class Endpoint {
  readonly #grpc = new Server({ 'grpc.max_receive_message_length': 16 * 1024 * 1024 });
  readonly #sockets = new Set<Socket>();
  #port = 0;
  readonly #listener = createServer((socket) => this.#accept(socket));
  readonly #injector = this.#grpc.createConnectionInjector(ServerCredentials.createInsecure());

  constructor({ append, read, getSupportedMethods }: Handlers) {
    const { append: appendMethod, read: readMethod } = streams.StreamsService;
    this.#grpc.addService({ append: appendMethod, read: readMethod }, { append, read });
    this.#grpc.addService(serverFeatures.ServerFeaturesService, { getSupportedMethods });
  }

  /** The port, also after closing. */
  get port(): number {
    return this.#port;
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#listener.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    this.#port = (this.#listener.address() as AddressInfo).port;
  }

  dropConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#listener.close(() => resolve()));
    this.dropConnections();
    this.#injector.destroy();
    this.#grpc.forceShutdown();
    await closed;
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    this.#injector.injectConnection(socket);
  }
}
