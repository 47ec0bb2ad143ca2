import { Injectable } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { User } from '../../access/records/user.js';
import { failure } from '../../kernel/errors.js';
import { LinkTokens } from '../../stores/key-store/link-tokens.js';
import { PublicAddress } from '../../http/public-address.js';
import { readChoice, writtenChoice, type MailChoice } from './mail-choice.js';

/** Path of unsubscribe links, below the server's address. */
export const UNSUBSCRIBE_PATH = 'accounts/unsubscribe';

/** The person, and the kind of e-mails to turn off. */
export interface FollowedUnsubscribeLink {
  readonly user: User;
  readonly choice: MailChoice;
}

/**
 * Links by which the receiver of an e-mail turns off e-mails of its kind without logging in. A link does only
 * that, however often it is used, as long as the account has the address that it was mailed to. It does not
 * authenticate and shows nothing about the account.
 */
@Injectable()
export class UnsubscribeLinks {
  constructor(
    private readonly tokens: LinkTokens,
    private readonly follower: DirectoryFollower,
    private readonly address: PublicAddress,
  ) {}

  /** The URL of a link. */
  to({ id, emailDigest }: Pick<User, 'id' | 'emailDigest'>, choice: MailChoice): string {
    const name = [id, writtenChoice(choice), emailDigest].join(':');
    return `${this.address.url}/${UNSUBSCRIBE_PATH}/${this.tokens.issue('unsubscribe', name)}`;
  }

  /**
   * @throws ApplicationError `linkInvalid` for a token that was not issued by this server, or whose account
   * is gone or has another address
   */
  follow(token: string): FollowedUnsubscribeLink {
    const [id = '', written = '', emailDigest = ''] = (this.tokens.open('unsubscribe', token) ?? '').split(
      ':',
    );
    const choice = readChoice(written);
    const user = this.follower.current().user(Number(id));
    if (choice === null || user?.isActive !== true || user.emailDigest !== emailDigest) {
      throw failure('linkInvalid');
    }
    return { user, choice };
  }
}
