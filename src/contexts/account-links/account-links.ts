import { Injectable } from '@nestjs/common';
import { failure } from '../../kernel/errors.js';
import { LinkTokens, type LinkPurpose } from '../../stores/key-store/link-tokens.js';
import { PublicAddress } from '../../http/public-address.js';

/** The path of each kind of link, by what the link does. */
const paths = {
  'email-change': 'accounts/confirm_new_email',
  'password-reset': 'accounts/password/reset',
} as const satisfies Partial<Record<LinkPurpose, string>>;

type AccountLinkPurpose = keyof typeof paths;

/** A link that was followed: its account, and the request that it confirms. */
export interface FollowedLink {
  readonly userId: number;
  readonly revision: number;
}

/** Makes and opens links by which people prove that they received an e-mail. */
@Injectable()
export class AccountLinks {
  constructor(
    private readonly tokens: LinkTokens,
    private readonly address: PublicAddress,
  ) {}

  /** The URL of a link. */
  url(purpose: AccountLinkPurpose, { userId, revision }: FollowedLink): string {
    return `${this.address.url}/${paths[purpose]}/${this.tokens.issue(purpose, `${userId}:${revision}`)}`;
  }

  /**
   * @throws ApplicationError `linkInvalid` for a token that was not issued by this server for this purpose
   */
  follow(purpose: AccountLinkPurpose, token: string): FollowedLink {
    const [userId = NaN, revision = NaN] = (this.tokens.open(purpose, token) ?? '').split(':').map(Number);
    if (!Number.isSafeInteger(userId) || !Number.isSafeInteger(revision)) throw failure('linkInvalid');
    return { userId, revision };
  }
}
