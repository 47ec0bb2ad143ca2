import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../access/actor.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Decisions } from '../../../http/decisions.js';
import type { UserEvent } from '../../../events/users.js';
import { foldedUsers, actingUser, type UserDirectory } from '../../users/users.state.js';
import { decideProfileData, type ProfileEntry } from '../profile-data.js';

/** Fills in fields of the caller's own profile, or clears them (PATCH and DELETE /users/me/profile_data). */
export class ChangeOwnProfile extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly entries: readonly ProfileEntry[],
  ) {
    super();
  }
}

/** @throws ApplicationError `botsNotAllowed` and those of {@link decideProfileData} */
export function decideChangeOwnProfile(
  state: UserDirectory,
  entries: readonly ProfileEntry[],
  { user: { id: actorId }, moment }: Actor,
): readonly UserEvent[] {
  const actor = actingUser(state, actorId);
  if (actor.bot !== null) throw failure('botsNotAllowed');
  return decideProfileData(moment, { userId: actorId, actor, entries });
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
