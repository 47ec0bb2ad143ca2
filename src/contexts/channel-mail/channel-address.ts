import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../stores/key-store/vault.js';

/** What an address of a channel stands for. */
export interface ChannelAddress {
  readonly channelId: number;
  /** Who asked for it: it works as long as they may post in the channel. */
  readonly requesterId: number;
  /** In whose name messages are sent; null: the e-mail gateway's. */
  readonly senderId: number | null;
}

const shape = /^channel-(\d{1,12})-(\d{1,12})-(\d{1,12})-([\da-f]{32})$/;

/**
 * Addresses by which mail becomes a message in a channel. The part before the @ is what it stands for and an HMAC of it under the
 * server's key, in characters that every mail program keeps: nothing is stored, and the same question has the same answer.
 */
export class ChannelAddresses {
  constructor(
    private readonly vault: Pick<Vault, 'linkDigest'>,
    /** What stands behind the @. */
    private readonly domain: () => string,
  ) {}

  addressOf(address: ChannelAddress): string {
    const name = nameOf(address);
    return `channel-${name}-${this.proofOf(name)}@${this.domain()}`;
  }

  /** Null for an address that was not made here. */
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
