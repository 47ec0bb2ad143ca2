import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Accounts } from '../accounts.js';
import { Credentials } from '../credentials.js';
import type { Acting } from '../decisions.js';
import { originOfCaller } from '../../../http/authentication/request-origin.js';
import { SecurityRecords } from '../security/security-records.js';
import type { UserEvent } from '../../../events/users.js';
import { manageableBot } from '../manageable-bot.js';
import { actingUser, type UserDirectory } from '../user-directory.js';

/** Revokes every key of an account and issues one in their place, which it answers. */
export class RegenerateApiKey extends Command<string> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
  ) {
    super();
  }
}

/**
 * Everyone renews their own keys, and those of the bots that they may change.
 *
 * @throws ApplicationError `noSuchBot`, `insufficientPermission`
 */
export function decideRegenerateApiKey(
  state: UserDirectory,
  { userId }: { readonly userId: number },
  { actorId }: Acting,
): readonly UserEvent[] {
  const account = userId === actorId ? actingUser(state, actorId) : manageableBot(state, userId, { actorId });
  return [{ type: 'ApiKeyRegenerated', data: { userId: account.id } }];
}

@CommandHandler(RegenerateApiKey)
export class RegenerateApiKeyHandler implements ICommandHandler<RegenerateApiKey> {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: Credentials,
    private readonly records: SecurityRecords,
  ) {}

  async execute({ caller, userId }: RegenerateApiKey): Promise<string> {
    const apiKey = await this.accounts.decideThen(
      caller,
      (state, by) => decideRegenerateApiKey(state, { userId }, by),
      () => this.renewKey(userId, caller.client),
    );
    const issued = { userId, apiKey, reason: 'regenerated' } as const;
    await this.records.keyIssued(issued, originOfCaller(caller), caller.userId);
    return apiKey;
  }

  private async renewKey(userId: number, client: string): Promise<string> {
    const user = (await this.accounts.all()).users.get(userId);
    if (user === undefined) throw new Error(`User ${userId} has just been there`);
    return this.credentials.renewKey(user, user.bot === null ? client : null);
  }
}
