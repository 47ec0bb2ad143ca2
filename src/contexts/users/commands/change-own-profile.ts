import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { foldedUsers } from '../users.state.js';
import type { ProfileEntry } from '../../profiles/profile-data.decide.js';
import { decideChangeOwnProfile } from '../users.decide.js';

/** Sets or clears fields of the caller's own profile (`PATCH` and `DELETE /users/me/profile_data`). */
export class ChangeOwnProfile extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly entries: readonly ProfileEntry[],
  ) {
    super();
  }
}

@CommandHandler(ChangeOwnProfile)
export class ChangeOwnProfileHandler implements ICommandHandler<ChangeOwnProfile> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, entries }: ChangeOwnProfile): Promise<void> {
    await this.decisions.decide(caller, foldedUsers, (state, by) =>
      decideChangeOwnProfile(state, entries, by),
    );
  }
}
