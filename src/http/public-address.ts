import { isFQDN } from 'class-validator';

/** Where clients reach this server. Where the port is any free one, it is known once the server listens. */
export class PublicAddress {
  constructor(
    /** Without a final slash. */
    public url: string,
  ) {}

  /** What stands behind the @ in the addresses of bots: what mail takes for a domain, whatever the server is reached by. */
  get domain(): string {
    const { hostname } = new URL(this.url);
    return hostname === 'localhost' || isFQDN(hostname) ? hostname : 'palimpsest.localhost';
  }
}
