import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { Acting } from '../decisions.js';
import type { UserEvent } from '../../../events/users.js';
import { KeyRenewals } from '../key-renewals.js';
import { manageableBot } from '../manageable-bot.js';
import type { UserDirectory } from '../user-directory.js';

/** Takes a bot out of service and revokes its keys. */
export class DeactivateBot extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
  ) {
    super();
  }
}

/**
 * @throws ApplicationError `noSuchBot`, `insufficientPermission`, `alreadyDeactivated`
 */
export function decideDeactivateBot(
  state: UserDirectory,
  { userId }: { readonly userId: number },
  { actorId }: Acting,
): readonly UserEvent[] {
  const bot = manageableBot(state, userId, { actorId });
  if (!bot.isActive) throw failure('alreadyDeactivated');
  return [{ type: 'UserDeactivated', data: { userId } }];
}

@CommandHandler(DeactivateBot)
export class DeactivateBotHandler implements ICommandHandler<DeactivateBot> {
  constructor(private readonly renewals: KeyRenewals) {}

  async execute({ caller, userId }: DeactivateBot): Promise<void> {
    await this.renewals.decide(caller, (state, by) => decideDeactivateBot(state, { userId }, by));
  }
}
