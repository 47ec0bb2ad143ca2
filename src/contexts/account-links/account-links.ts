import { Injectable } from '@nestjs/common';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import { failure } from '../../kernel/errors.js';
import { handle } from '../../kernel/handle.js';
import { LinkTokens, type LinkPurpose } from '../../stores/key-store/link-tokens.js';
import { PublicAddress } from '../organization/public-address.js';
import { personalStream } from '../personal/personal-stream.js';
import { SystemClock } from '../../runtime/system-clock.js';
import type { AccountLinkEvent } from '../../events/account-links.js';
import { requestedLinksFold, type RequestedLinks } from './requested-links.js';

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

/** Links by which people show that a letter reached them. */
@Injectable()
export class AccountLinks {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly tokens: LinkTokens,
    private readonly address: PublicAddress,
    private readonly clock: SystemClock,
  ) {}

  /** What a person asked for. */
  async of(userId: number): Promise<RequestedLinks> {
    const stream = personalStream(userId);
    return (await this.streams.load({ stream, fold: requestedLinksFold })).state;
  }

  /** Notes what a person asks for; the letter follows. */
  async request(
    by: { readonly userId: number; readonly client: string; readonly actorId: number | null },
    decide: (links: RequestedLinks) => readonly AccountLinkEvent[],
  ): Promise<void> {
    await handle(this.streams, {
      stream: personalStream(by.userId),
      fold: requestedLinksFold,
      decide,
      metadata: requestMetadata({ userId: by.actorId, client: by.client }, this.clock.now()),
    });
  }

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
