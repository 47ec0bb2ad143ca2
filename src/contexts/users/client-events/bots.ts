import type { Snapshot } from '../../../access/snapshot.js';
import { mayManageBot, maySeeBot } from '../../../access/people-permissions.js';
import { isAdministrator } from '../../../access/records/roles.js';
import { defaultsOf, type BotDefaults, type User } from '../../../access/records/user.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import type { AddressedEvent, Receiver } from '../../../realtime/mapper.js';
import type { UserModels } from '../client-models.js';
import {
  botDefaultFields,
  botFields,
  servicesOf,
  type BotDefaultFields,
  type BotView,
} from '../queries/bots.js';

/** The fields of a bot that show its defaults. */
const fieldsOfDefaults = {
  sendingChannelId: 'default_sending_stream',
  registeringChannelId: 'default_events_register_stream',
  allPublicChannels: 'default_all_public_streams',
} as const satisfies Record<keyof BotDefaults, keyof BotDefaultFields>;

const namesOfDefaults = Object.keys(fieldsOfDefaults) as readonly (keyof BotDefaults)[];

const channelDefaults = ['sendingChannelId', 'registeringChannelId'] as const;

/** The managers who are told of a bot. */
interface BotAudience {
  readonly snapshot: Snapshot;
  readonly to: (user: User) => boolean;
}

/** Client events for the managers of a bot, one for each default that changed. */
export function botDefaultsChanged(
  before: BotDefaults | null,
  user: User | null,
  snapshot: Snapshot,
): readonly AddressedEvent[] {
  if (before === null || user === null) return [];
  const now = defaultsOf(user);
  const changed = namesOfDefaults.filter((name) => now[name] !== before[name]);
  return changed.map((name) => defaultEvent(user, name, { snapshot, to: managersOf(user) }));
}

/**
 * Client events about the bots that have one of these channels as a default, for those of their managers to whom these
 * channels have other names now: they were renamed, or may no longer or only now be known.
 */
export function defaultChannelsChanged(
  channelIds: readonly number[],
  snapshot: Snapshot,
  isConcerned: (user: User) => boolean,
): readonly AddressedEvent[] {
  const events: AddressedEvent[] = [];
  for (const bot of snapshot.directory.users()) {
    if (bot.bot?.defaults === undefined) continue;
    const { defaults } = bot.bot;
    const isManager = managersOf(bot);
    const to = (user: User): boolean => isManager(user) && isConcerned(user);
    const named = channelDefaults.filter((name) => channelIds.includes(defaults[name] ?? 0));
    events.push(...named.map((name) => defaultEvent(bot, name, { snapshot, to })));
  }
  return events;
}

function defaultEvent(bot: User, name: keyof BotDefaults, { snapshot, to }: BotAudience): AddressedEvent {
  const field = fieldsOfDefaults[name];
  return {
    to,
    types: ['realm_bot'],
    event: ({ user: viewer }) => {
      const value = botDefaultFields(defaultsOf(bot), { snapshot, viewer })[field];
      return { type: 'realm_bot', op: 'update', bot: { user_id: bot.id, [field]: value } };
    },
  };
}

/** The people who may see and manage a bot. */
export function managersOf(bot: User): (user: User) => boolean {
  return (user) => maySeeBot(user, bot);
}

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
    (user) => (isAdministrator(user) || user.id === bot.ownerId) && models.isListening(user.id),
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
