import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { Accounts } from '../accounts.js';
import { Credentials } from '../credentials.js';
import type { Acting } from '../decisions.js';
import type { UserEvent } from '../events.js';
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
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: Credentials,
  ) {}

  async execute({ caller, userId }: DeactivateBot): Promise<void> {
    const events = await this.accounts.decide(caller, (state, by) =>
      decideDeactivateBot(state, { userId }, by),
    );
    await this.credentials.revokeKeys(events.map(({ data }) => data.userId));
  }
}
