import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { unknownUserAvatar } from '../../../http/static-images.js';
import { Decisions } from '../../../http/decisions.js';
import { mediumAvatarUrl, shownAvatarUrl } from '../avatar.js';
import { EmailLookup } from '../email-lookup.js';

/** Where the picture of an account is, for clients that know nothing of the account but its id or address. */
export class GetAvatarAddress extends Query<string> {
  constructor(
    readonly caller: Pick<Caller, 'userId'>,
    /** An id or an e-mail address. */
    readonly whom: number | string,
    /** Whether there is more room for it. */
    readonly isMedium: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetAvatarAddress)
export class GetAvatarAddressHandler implements IQueryHandler<GetAvatarAddress> {
  constructor(
    private readonly decisions: Decisions,
    private readonly emails: EmailLookup,
  ) {}

  /** Of nobody, that of whom nobody knows. */
  execute({ caller, whom, isMedium }: GetAvatarAddress): Promise<string> {
    const { directory } = this.decisions.moment();
    const viewer = this.decisions.actor(caller).user;
    const user =
      typeof whom === 'number' ? directory.user(whom) : this.emails.findFor(viewer, directory, whom);
    if (user === null) return Promise.resolve(unknownUserAvatar);
    return Promise.resolve((isMedium ? mediumAvatarUrl : shownAvatarUrl)(directory, user));
  }
}
