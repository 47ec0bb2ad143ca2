import { isIP } from 'node:net';

/** Where clients reach this server. Where the port is any free one, it is known once the server listens. */
export class PublicAddress {
  constructor(
    /** Without a final slash. */
    public url: string,
  ) {}

  /** What stands behind the @ in the addresses of bots: a name, also where the server is reached by a number. */
  get domain(): string {
    const { hostname } = new URL(this.url);
    return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'palimpsest.localhost';
  }
}
