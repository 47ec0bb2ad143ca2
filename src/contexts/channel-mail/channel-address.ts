import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../stores/key-store/vault.js';

/** What an address of a channel stands for. */
export interface ChannelAddress {
  readonly channelId: number;
  /** The person who requested it; it is valid as long as they may post in the channel. */
  readonly requesterId: number;
  /** The sender of the messages; null: the e-mail gateway. */
  readonly senderId: number | null;
}

const shape = /^channel-(\d{1,12})-(\d{1,12})-(\d{1,12})-([\da-f]{32})$/;

/**
 * Addresses by which mail becomes messages in a channel. The part before the @ is an encoded {@link
 * ChannelAddress} with an HMAC under the server's key, in characters that every mail program preserves.
 * Nothing is stored, and the same input gives the same address.
 */
export class ChannelAddresses {
  constructor(
    private readonly vault: Pick<Vault, 'linkDigest'>,
    /** The part after the @. */
    private readonly domain: () => string,
  ) {}

  addressOf(address: ChannelAddress): string {
    const name = nameOf(address);
    return `channel-${name}-${this.proofOf(name)}@${this.domain()}`;
  }

  /** Null for an address that was not made by this server. */
  open(email: string): ChannelAddress | null {
    const at = email.lastIndexOf('@');
    if (email.slice(at + 1).toLowerCase() !== this.domain().toLowerCase()) return null;
    const [, channelId, requesterId, senderId, proof] = shape.exec(email.slice(0, at).toLowerCase()) ?? [];
    if (proof === undefined) return null;
    const address = {
      channelId: Number(channelId),
      requesterId: Number(requesterId),
      senderId: Number(senderId) || null,
    };
    const expected = Buffer.from(this.proofOf(nameOf(address)));
    return timingSafeEqual(Buffer.from(proof), expected) ? address : null;
  }

  private proofOf(name: string): string {
    const digest = this.vault.linkDigest('channel-email', name);
    return Buffer.from(digest, 'base64url').toString('hex').slice(0, 32);
  }
}

function nameOf({ channelId, requesterId, senderId }: ChannelAddress): string {
  return `${channelId}-${requesterId}-${senderId ?? 0}`;
}
