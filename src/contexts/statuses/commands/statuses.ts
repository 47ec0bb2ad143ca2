import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { ownSettingsOf } from '../../settings/settings.state.js';
import { type StatusRequest, decideChangeStatus, decideChangeStatusOf } from '../statuses.decide.js';

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

  /** @throws ApplicationError those of {@link decideChangeStatus} */
  async execute({ caller, request }: ChangeStatus): Promise<void> {
    await this.decisions.decide(caller, ownSettingsOf(caller.userId), (own, actor) =>
      decideChangeStatus(own, request, actor),
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

  /** @throws ApplicationError those of {@link decideChangeStatusOf} */
  async execute({ caller, userId, request }: ChangeStatusOf): Promise<void> {
    await this.decisions.decide(caller, ownSettingsOf(userId), (own, actor) =>
      decideChangeStatusOf(own, { userId, ...request }, actor),
    );
  }
}
