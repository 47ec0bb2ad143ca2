import type { Snapshot } from '../../../access/snapshot.js';
import { mayManageBot } from '../../../access/people-permissions.js';
import { isAdministrator } from '../../../access/records/roles.js';
import type { User } from '../../../access/records/user.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import type { AddressedEvent, Receiver } from '../../../realtime/mapper.js';
import type { UserModels } from '../client-models.js';
import { managersOf, type BotAudience, type BotView } from '../../channels/client-events/bot-defaults.js';
import { botFields, servicesOf } from '../queries/bots.js';

/** The client event for people whose list of bots a bot enters: with its key for those who may read it. */
export function botAddition(
  bot: User,
  secrets: BotSecrets,
  { snapshot, to }: BotAudience,
): readonly AddressedEvent[] {
  const added =
    (shown: BotSecrets) =>
    ({ user: viewer }: Receiver): ClientEvent => ({
      type: 'realm_bot',
      op: 'add',
      bot: botObject(bot, shown, { snapshot, viewer }),
    });
  return [
    { to: (user) => to(user) && mayManageBot(user, bot), event: added(secrets) },
    { to: (user) => to(user) && !mayManageBot(user, bot), event: added(noSecrets) },
  ];
}

/** A client event for the managers of a bot; none if the account does not exist. */
export function botChanged(user: User | null, fields: object): readonly AddressedEvent[] {
  if (user?.bot == null) return [];
  const bot = { user_id: user.id, ...fields };
  return [{ to: managersOf(user), event: { type: 'realm_bot', op: 'update', bot } }];
}

interface NewKey {
  readonly userId: number;
  readonly bot: User['bot'];
  readonly since: number;
}

/** The key that an event gives a bot; null if nobody who may read it has a client in this process. */
export async function newKey(
  { userId, bot, since }: NewKey,
  models: UserModels,
  { directory }: Snapshot,
): Promise<string | null> {
  if (bot === null || bot.isSystem) return null;
  const isNeeded = [...directory.users()].some(
    (user) => (isAdministrator(user) || user.id === bot.ownerId) && models.hasClient(user.id),
  );
  return isNeeded ? models.newBotKey(userId, since) : null;
}

/** What only people who may read a bot's key get; null: they may not, or there is none. */
export interface BotSecrets {
  readonly key: string | null;
  /** The token in the requests of an outgoing webhook bot; null for others. */
  readonly token: string | null;
}

/** For people who may not read them. */
export const noSecrets: BotSecrets = { key: null, token: null };

/** The new address for a bot's requests, for its managers. */
export function serviceChanged(user: User | null, token: string): readonly AddressedEvent[] {
  if (user === null) return [];
  const event = (shown: string | null): ClientEvent => ({
    type: 'realm_bot',
    op: 'update',
    bot: { user_id: user.id, services: servicesOf(user, shown) },
  });
  const isManager = managersOf(user);
  return [
    { to: (reader) => isManager(reader) && mayManageBot(reader, user), event: event(token) },
    { to: (reader) => isManager(reader) && !mayManageBot(reader, user), event: event(null) },
  ];
}

/**
 * A bot as its managers see it. The key is empty while it waits to be renewed, and for those who may not read
 * it.
 */
export function botObject(user: User, { key, token }: BotSecrets, view: BotView): object {
  return {
    user_id: user.id,
    email: user.email,
    full_name: user.fullName,
    bot_type: user.bot?.type ?? null,
    is_active: user.isActive,
    api_key: key ?? '',
    owner_id: user.bot?.ownerId ?? null,
    services: servicesOf(user, token),
    ...botFields(user, view),
  };
}
