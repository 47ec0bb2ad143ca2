import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { unknownUserAvatar } from '../../../http/static-images.js';
import { Decisions } from '../../../http/decisions.js';
import { mediumAvatarUrl, shownAvatarUrl } from '../avatar.js';
import { EmailLookup } from '../../../access/email-lookup.js';
import { KnownPeople } from '../known-people.js';

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
    private readonly people: KnownPeople,
  ) {}

  /** Of nobody, and of whom the caller may not know, that of whom nobody knows. */
  async execute({ caller, whom, isMedium }: GetAvatarAddress): Promise<string> {
    const moment = this.decisions.moment();
    const { directory } = moment;
    const viewer = this.decisions.actor(caller).user;
    const user =
      typeof whom === 'number' ? directory.user(whom) : this.emails.findFor(viewer, directory, whom);
    const knows = await this.people.to(viewer, moment);
    if (user === null || !knows(user)) return unknownUserAvatar;
    return (isMedium ? mediumAvatarUrl : shownAvatarUrl)(directory, user);
  }
}
