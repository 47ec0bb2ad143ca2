import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';

/** A request received by the relay. */
export interface RelayRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into bodies of every shape
  readonly body: any;
}

/** A local push relay that accepts everything unless told otherwise. */
export class FakeRelay {
  readonly requests: RelayRequest[] = [];
  /** The status of its replies. */
  status = 200;
  answer = '{}';

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}/push`;
  }

  /** @param port 0: any free one */
  static async start(port = 0): Promise<FakeRelay> {
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { url: path = '', headers } = request;
        const body: unknown = JSON.parse(text);
        relay.requests.push({ path, authorization: headers.authorization, text, body });
        response.writeHead(relay.status, { 'content-type': 'application/json' }).end(relay.answer);
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const relay = new FakeRelay(server, (server.address() as AddressInfo).port);
    return relay;
  }

  /** Accepts everything again, and forgets all requests. */
  reset(): void {
    this.status = 200;
    this.answer = '{}';
    this.requests.length = 0;
  }

  /** The notifications to a device, decrypted like the device does. */
  readBy(deviceId: number, key: Uint8Array): Record<string, unknown>[] {
    return this.requests
      .filter(({ path }) => path === '/push/notify')
      .flatMap(({ body }) => body.notifications as { device_id: number; payload: string }[])
      .filter(({ device_id }) => device_id === deviceId)
      .map(({ payload }) => {
        const bytes = Buffer.from(payload, 'base64');
        const text = xsalsa20poly1305(key, bytes.subarray(0, 24)).decrypt(bytes.subarray(24));
        return JSON.parse(Buffer.from(text).toString()) as Record<string, unknown>;
      });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
