import { Injectable } from '@nestjs/common';
import { LinkTokens } from '../../stores/key-store/link-tokens.js';
import { PublicAddress } from '../../http/public-address.js';

/** What the token of a link opens. */
export interface OpenedLink {
  /** `invitation`: make the account; `link`: say for which address first. */
  readonly kind: 'invitation' | 'link';
  readonly id: number;
}

/** Where people join. */
@Injectable()
export class JoinLinks {
  constructor(
    private readonly tokens: LinkTokens,
    private readonly address: PublicAddress,
  ) {}

  /** Where somebody accepts their invitation. */
  toInvitation(id: number): string {
    return `${this.address.url}/join/${this.tokens.issue('invitation', String(id))}`;
  }

  /** Where anybody may ask to join. */
  toLink(id: number): string {
    return `${this.address.url}/join/${this.tokens.issue('invitation-link', String(id))}`;
  }

  /** Null for a token that was not issued here. */
  open(token: string): OpenedLink | null {
    const invitation = this.tokens.open('invitation', token);
    if (invitation !== null) return { kind: 'invitation', id: Number(invitation) };
    const link = this.tokens.open('invitation-link', token);
    return link === null ? null : { kind: 'link', id: Number(link) };
  }
}
