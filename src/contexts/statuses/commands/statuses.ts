import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { assertPerson } from '../../settings/settings.decide.js';
import { ownSettingsOf } from '../../settings/settings.state.js';
import { type StatusRequest, decideChangeStatus, assertMaySpeakFor } from '../statuses.decide.js';

/**
 * Changes a person's status (`POST /users/me/status`, `POST /users/{user_id}/status`): one's own, or for
 * administrators anybody's.
 */
export class ChangeStatus extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
    readonly request: StatusRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeStatus)
export class ChangeStatusHandler implements ICommandHandler<ChangeStatus> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `insufficientPermission`, `noSuchUser`, or those of {@link decideChangeStatus} */
  async execute({ caller, userId, request }: ChangeStatus): Promise<void> {
    const { user: actor, snapshot } = this.decisions.actor(caller);
    assertPerson(actor);
    if (actor.id !== userId) assertMaySpeakFor(actor, snapshot.directory.user(userId));
    const context = { userId, directory: snapshot.directory };
    await this.decisions.decide(caller, ownSettingsOf(userId), (own) =>
      decideChangeStatus(own, request, context),
    );
  }
}
