import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { Document } from 'mongodb';
import { messagesOf, replyTo, requestIn } from './wire.js';

/** What a {@link RefusingMongo} refuses. */
export interface Refusal {
  /** The last version of the wire protocol that it supports: 21 is that of MongoDB 7.0. */
  readonly wireVersion?: number;
  /** The command to refuse, such as `saslStart` with code 18. */
  readonly command: string;
  readonly code: number;
}

/** A server that speaks just enough of MongoDB's protocol to refuse something. */
export class RefusingMongo {
  private constructor(
    private readonly server: Server,
    private readonly sockets: Set<Socket>,
  ) {}

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  static async start(refusal: Refusal): Promise<RefusingMongo> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      void serve(socket, refusal);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RefusingMongo(server, sockets);
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

async function serve(socket: Socket, refusal: Refusal): Promise<void> {
  try {
    for await (const message of messagesOf(socket)) {
      const request = requestIn(message);
      socket.write(replyTo(request, answerTo(request.command, refusal)));
    }
  } catch {
    // The driver closed the connection, as the test expects.
    socket.destroy();
  }
}

function answerTo(command: Document, { wireVersion = 21, command: refused, code }: Refusal): Document {
  const [name = ''] = Object.keys(command);
  if (/^(?:hello|ismaster)$/i.test(name)) {
    const limits = {
      maxBsonObjectSize: 16_777_216,
      maxMessageSizeBytes: 48_000_000,
      maxWriteBatchSize: 100_000,
    };
    const mechanisms = { saslSupportedMechs: ['SCRAM-SHA-256'] };
    const version = { minWireVersion: 0, maxWireVersion: wireVersion };
    return {
      ok: 1,
      isWritablePrimary: true,
      ismaster: true,
      helloOk: true,
      ...limits,
      ...mechanisms,
      ...version,
    };
  }
  if (name === refused) return { ok: 0, code, codeName: 'Refused', errmsg: `${name} is refused` };
  return { ok: 1 };
}
