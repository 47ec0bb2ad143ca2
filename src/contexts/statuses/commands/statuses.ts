import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { assertPerson } from '../../settings/settings.decide.js';
import { ownSettingsOf } from '../../settings/settings.state.js';
import { type StatusRequest, decideChangeStatus, assertMaySpeakFor } from '../statuses.decide.js';

/** Changes the status of the caller (`POST /users/me/status`). */
export class ChangeStatus extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly request: StatusRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeStatus)
export class ChangeStatusHandler implements ICommandHandler<ChangeStatus> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `botsNotAllowed`, or those of {@link decideChangeStatus} */
  async execute({ caller, request }: ChangeStatus): Promise<void> {
    const { user, snapshot } = this.decisions.actor(caller);
    assertPerson(user);
    const context = { userId: user.id, directory: snapshot.directory };
    await this.decisions.decide(caller, ownSettingsOf(user.id), (own) =>
      decideChangeStatus(own, request, context),
    );
  }
}

/** Changes the status of any person, but of no bot, for administrators (`POST /users/{user_id}/status`). */
export class ChangeStatusOf extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
    readonly request: StatusRequest,
  ) {
    super();
  }
}

@CommandHandler(ChangeStatusOf)
export class ChangeStatusOfHandler implements ICommandHandler<ChangeStatusOf> {
  constructor(private readonly decisions: Decisions) {}

  /** @throws ApplicationError `insufficientPermission`, `noSuchUser`, or those of {@link decideChangeStatus} */
  async execute({ caller, userId, request }: ChangeStatusOf): Promise<void> {
    const { user: actor, snapshot } = this.decisions.actor(caller);
    assertMaySpeakFor(actor, snapshot.directory.user(userId));
    const context = { userId, directory: snapshot.directory };
    await this.decisions.decide(caller, ownSettingsOf(userId), (own) =>
      decideChangeStatus(own, request, context),
    );
  }
}
