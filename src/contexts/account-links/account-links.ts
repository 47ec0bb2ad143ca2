import { Injectable } from '@nestjs/common';
import { failure } from '../../kernel/errors.js';
import { LinkTokens, type LinkPurpose } from '../../stores/key-store/link-tokens.js';
import { PublicAddress } from '../../http/public-address.js';

/** What a link does to an account, and where it leads. */
const paths = {
  'email-change': 'accounts/confirm_new_email',
  'password-reset': 'accounts/password/reset',
} as const satisfies Partial<Record<LinkPurpose, string>>;

export type AccountLinkPurpose = keyof typeof paths;

/** A link that was followed: whose it is, and which request it names. */
export interface FollowedLink {
  readonly userId: number;
  readonly revision: number;
}

/** Links by which people show that an e-mail reached them. */
@Injectable()
export class AccountLinks {
  constructor(
    private readonly tokens: LinkTokens,
    private readonly address: PublicAddress,
  ) {}

  /** The address to be followed. */
  url(purpose: AccountLinkPurpose, { userId, revision }: FollowedLink): string {
    return `${this.address.url}/${paths[purpose]}/${this.tokens.issue(purpose, `${userId}:${revision}`)}`;
  }

  /** @throws ApplicationError `linkInvalid` for a token that was not issued here for that */
  follow(purpose: AccountLinkPurpose, token: string): FollowedLink {
    const [userId = NaN, revision = NaN] = (this.tokens.open(purpose, token) ?? '').split(':').map(Number);
    if (!Number.isSafeInteger(userId) || !Number.isSafeInteger(revision)) throw failure('linkInvalid');
    return { userId, revision };
  }
}
