import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import { maySeeBot } from '../../../access/people-permissions.js';
import { PerDirectoryState } from '../../../access/directory.js';
import { defaultsOf, type BotDefaults, type User } from '../../../access/records/user.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { AddressedEvent } from '../../../realtime/mapper.js';

/**
 * A bot's defaults for what its requests do not specify: names of channels; null for none, and for a channel of which
 * the viewer may not know.
 */
export interface BotDefaultFields {
  readonly default_sending_stream: string | null;
  readonly default_events_register_stream: string | null;
  readonly default_all_public_streams: boolean;
}

/** Who looks at a bot. */
export interface BotView {
  readonly snapshot: Snapshot;
  readonly viewer: User;
}

/** A bot’s defaults, with the channels by their names. */
export function botDefaultFields(
  { sendingChannelId, registeringChannelId, allPublicChannels }: BotDefaults,
  view: BotView,
): BotDefaultFields {
  return {
    default_sending_stream: channelName(view, sendingChannelId),
    default_events_register_stream: channelName(view, registeringChannelId),
    default_all_public_streams: allPublicChannels,
  };
}

function channelName({ snapshot, viewer }: BotView, id: number | null): string | null {
  const channel = id === null ? null : snapshot.directory.channel(id);
  return channel !== null && hasMetadataAccess(snapshot, viewer, channel) ? channel.name : null;
}

/** The fields of a bot that show its defaults. */
const fieldsOfDefaults = {
  sendingChannelId: 'default_sending_stream',
  registeringChannelId: 'default_events_register_stream',
  allPublicChannels: 'default_all_public_streams',
} as const satisfies Record<keyof BotDefaults, keyof BotDefaultFields>;

const namesOfDefaults = Object.keys(fieldsOfDefaults) as readonly (keyof BotDefaults)[];

const channelDefaults = ['sendingChannelId', 'registeringChannelId'] as const;

/** The managers who are notified of a bot. */
export interface BotAudience {
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

/** Few bots have defaults, and one event may concern thousands of channels. */
const botsWithDefaults = new PerDirectoryState<readonly User[]>();

function withDefaults({ directory }: Snapshot): readonly User[] {
  return [...directory.users()].filter(({ bot }) => bot?.defaults !== undefined);
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
  for (const bot of botsWithDefaults.of(snapshot.directory, () => withDefaults(snapshot))) {
    const defaults = defaultsOf(bot);
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
