import { Injectable } from '@nestjs/common';
import { LinkTokens } from '../../stores/key-store/link-tokens.js';
import { PublicAddress } from '../../http/public-address.js';

/** What the token of a link stands for. */
export interface OpenedLink {
  /** `invitation`: the account can be created; `link`: the person has to enter an address first. */
  readonly kind: 'invitation' | 'link';
  readonly id: number;
}

/** Makes and opens the links by which people join. */
@Injectable()
export class JoinLinks {
  constructor(
    private readonly tokens: LinkTokens,
    private readonly address: PublicAddress,
  ) {}

  /** The URL at which an invitation is accepted. */
  toInvitation(id: number): string {
    return `${this.address.url}/join/${this.tokens.issue('invitation', String(id))}`;
  }

  /** The URL at which anybody can ask to join. */
  toLink(id: number): string {
    return `${this.address.url}/join/${this.tokens.issue('invitation-link', String(id))}`;
  }

  /** Null for a token that was not issued by this server. */
  open(token: string): OpenedLink | null {
    const invitation = this.tokens.open('invitation', token);
    if (invitation !== null) return { kind: 'invitation', id: Number(invitation) };
    const link = this.tokens.open('invitation-link', token);
    return link === null ? null : { kind: 'link', id: Number(link) };
  }
}
