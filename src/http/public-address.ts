import { isFQDN } from 'class-validator';

/**
 * The address at which clients reach this server. If the port is chosen by the system, it is known once the
 * server listens.
 */
export class PublicAddress {
  constructor(
    /** Without a trailing slash. */
    public url: string,
  ) {}

  /** The domain in the addresses of bots: valid for mail, whatever the server's address is. */
  get domain(): string {
    const { hostname } = new URL(this.url);
    return hostname === 'localhost' || isFQDN(hostname) ? hostname : 'palimpsest.localhost';
  }
}
