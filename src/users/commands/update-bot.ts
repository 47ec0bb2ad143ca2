import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { Accounts } from '../accounts.js';
import { type BotDefaultsRequest, decideBotDefaults, defaultsOf } from '../bot-defaults.js';
import type { ActingAt } from '../decisions.js';
import type { UserEvent } from '../events.js';
import { decideNewName } from '../identity-changes.js';
import { manageableBot } from '../manageable-bot.js';
import { decideNewRole } from '../role-change.js';
import { actingUser, type UserDirectory } from '../user-directory.js';

/** Changes a bot (facts, section 5, PATCH bots). */
export class UpdateBot extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly changes: BotChanges,
  ) {
    super();
  }
}

/** What is to be changed; null: left as it is. */
export interface BotChanges {
  readonly userId: number;
  readonly fullName: string | null;
  readonly ownerId: number | null;
  readonly role: number | null;
  readonly defaults: BotDefaultsRequest;
}

/**
 * Only administrators give a bot another role.
 *
 * @throws ApplicationError `noSuchBot`, `insufficientPermission`, `invalidBotOwner`, or those of {@link decideNewName},
 * {@link decideNewRole} and {@link decideBotDefaults}
 */
export function decideUpdateBot(
  state: UserDirectory,
  { userId, fullName, ownerId, role, defaults: request }: BotChanges,
  { actorId, moment }: ActingAt,
): readonly UserEvent[] {
  const bot = manageableBot(state, userId, { actorId });
  const actor = actingUser(state, actorId);
  const events: UserEvent[] = [];
  if (fullName !== null) events.push(...decideNewName(state, { user: bot, sent: fullName, moment }));
  if (role !== null) events.push(...decideNewRole(state, { actor, user: bot, role }));
  if (ownerId !== null && ownerId !== bot.bot?.ownerId) {
    const owner = state.users.get(ownerId);
    if (owner?.isActive !== true || owner.bot !== null) throw failure('invalidBotOwner');
    events.push({ type: 'BotOwnerChanged', data: { userId, ownerId } });
  }
  events.push(...decideBotDefaults(moment, { actor, userId, before: defaultsOf(bot), request }));
  return events;
}

@CommandHandler(UpdateBot)
export class UpdateBotHandler implements ICommandHandler<UpdateBot> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ caller, changes }: UpdateBot): Promise<void> {
    await this.accounts.decide(caller, (state, by) => decideUpdateBot(state, changes, by));
  }
}
