import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A TCP proxy between a client and a server that can fail in two ways: all connections break and new ones are refused, or they stay open
 * and nothing is transferred.
 */
export class FaultyLink {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private server: Server | null = null;
  private port = 0;
  private isHeld = false;

  private constructor(private readonly target: { readonly host: string; readonly port: number }) {}

  static async to(target: { readonly host: string; readonly port: number }): Promise<FaultyLink> {
    const link = new FaultyLink(target);
    await link.mend();
    return link;
  }

  /** Where clients connect, `host:port`; the same after it was cut. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Breaks every connection, and refuses new ones until it is repaired. */
  async cut(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    this.server = null;
    const closed = once(server, 'close');
    server.close();
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
    await closed;
  }

  /** Transfers nothing until it is repaired; connections stay open, and new ones are accepted. */
  hold(): void {
    this.isHeld = true;
    for (const pair of this.pairs) for (const socket of pair) socket.pause();
  }

  async mend(): Promise<void> {
    this.isHeld = false;
    for (const pair of this.pairs) for (const socket of pair) socket.resume();
    if (this.server !== null) return;
    this.server = createServer((near) => this.join(near));
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  private join(near: Socket): void {
    const far = connect(this.target);
    const pair = [near, far] as const;
    this.pairs.add(pair);
    near.pipe(far);
    far.pipe(near);
    for (const socket of pair) {
      if (this.isHeld) socket.pause();
      // When one end closes, the other one is closed too.
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.pairs.delete(pair);
        for (const one of pair) one.destroy();
      });
    }
  }
}
