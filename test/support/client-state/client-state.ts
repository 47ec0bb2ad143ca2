import type { Reply } from '../api-client.js';
import type { ReceivedEvent } from '../listener.js';

/** A value of the API. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the state of a client has values of every shape
export type Item = Record<string, any>;

/** An unread message: where it is, and its flags as far as they are known. */
interface Unread {
  readonly place: string;
  readonly flags: readonly string[];
}

/** Changes what a client knows by an event. */
export type Handler = (state: ClientState, event: ReceivedEvent) => void;

/** The members of the initial state that hold a list, with the member by which its items are told apart. */
export const keyOfLists = {
  drafts: 'id',
  reminders: 'reminder_id',
  scheduled_messages: 'scheduled_message_id',
  saved_snippets: 'id',
  navigation_views: 'fragment',
  onboarding_steps: 'name',
  channel_folders: 'id',
  realm_domains: 'domain',
  realm_bots: 'user_id',
  realm_user_groups: 'id',
  streams: 'stream_id',
} as const;

/** The members of the initial state that their events replace. */
export const replacedMembers = [
  'alert_words',
  'muted_users',
  'custom_profile_fields',
  'realm_linkifiers',
  'realm_playgrounds',
  'realm_default_streams',
  'realm_default_stream_groups',
] as const;

/** Members that begin like a setting of the organization, and are something else. */
const notSettings: ReadonlySet<string> = new Set([
  ...Object.keys(keyOfLists),
  ...replacedMembers,
  'realm_users',
  'realm_non_active_users',
  'realm_emoji',
  'realm_filters',
  'realm_user_settings_defaults',
  'realm_incoming_webhook_bots',
]);

const ownMembers = [
  'email',
  'delivery_email',
  'full_name',
  'avatar_url',
  'is_admin',
  'is_owner',
  'is_guest',
  'is_moderator',
] as const;

/** The members of a channel that belong to the person's subscription, present or former. */
const ofSubscription = [
  'relation',
  'color',
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const;

/**
 * What a client knows after it registered, kept up to date by nothing but events, like the programs of existing clients
 * do it. It has to stay equal to what a new registration says.
 */
export class ClientState {
  readonly userId: number;
  readonly own: Item;
  readonly users = new Map<number, Item>();
  /** The settings and permissions of the organization, and other facts of it. */
  readonly organization: Item;
  readonly lists: Readonly<Record<keyof typeof keyOfLists, Map<number | string, Item>>>;
  readonly replaced: Item;
  emoji: Item;
  /** All channels that the person knows of, each with its `relation`. */
  readonly channels = new Map<number, Item>();
  /** The policies of topics, by channel id and topic. */
  readonly topics = new Map<string, Item>();
  readonly settings: Item;
  readonly settingsDefaults: Item;
  readonly statuses: Item;
  readonly unread = new Map<number, Unread>();
  starred: ReadonlySet<number>;
  readonly conversations: Set<string>;

  constructor(state: Reply) {
    this.userId = state['user_id'] as number;
    this.own = Object.fromEntries(ownMembers.map((name) => [name, state[name] as unknown]));
    for (const user of state['realm_users']) this.users.set(user.user_id, { ...user, is_active: true });
    for (const user of state['cross_realm_bots']) this.users.set(user.user_id, { ...user, is_active: true });
    for (const user of state['realm_non_active_users']) {
      this.users.set(user.user_id, { ...user, is_active: false });
    }
    const members = Object.entries(state).filter(
      ([name]) => name.startsWith('realm_') && !notSettings.has(name),
    );
    this.organization = Object.fromEntries(members);
    this.lists = listsOf(state);
    this.replaced = Object.fromEntries(replacedMembers.map((name) => [name, state[name] as unknown]));
    this.emoji = { ...state['realm_emoji'] };
    for (const relation of ['subscriptions', 'unsubscribed', 'never_subscribed']) {
      for (const channel of state[relation]) this.channels.set(channel.stream_id, { ...channel, relation });
    }
    for (const topic of state['user_topics']) {
      this.topics.set(placeOf(topic.stream_id as number, topic.topic_name as string), topic);
    }
    this.settings = { ...state['user_settings'] };
    this.settingsDefaults = { ...state['realm_user_settings_defaults'] };
    this.statuses = { ...state['user_status'] };
    this.addUnread(state['unread_msgs'] as Item);
    this.starred = new Set(state['starred_messages']);
    const conversations = state['recent_private_conversations'] as readonly Item[];
    this.conversations = new Set(conversations.map(({ user_ids }) => directPlace(user_ids as number[])));
  }

  /** All that is known, as plain data in an order that does not depend on events. */
  plain(): Item {
    const unread = [...this.unread].sort(([a], [b]) => a - b);
    return {
      users: sorted(new Map([...this.users].filter(([, user]) => !isHidden(user)))),
      own: this.own,
      organization: this.organization,
      ...Object.fromEntries(Object.entries(this.lists).map(([name, items]) => [name, sorted(items)])),
      realm_user_groups: sorted(
        new Map([...this.lists.realm_user_groups].map(([id, one]) => [id, sortedGroup(one)])),
      ),
      ...this.replaced,
      emoji: this.emoji,
      channels: sorted(new Map([...this.channels].map(([id, channel]) => [id, comparableChannel(channel)]))),
      topics: sorted(this.topicsOfKnownChannels()),
      settings: this.settings,
      settingsDefaults: this.settingsDefaults,
      statuses: this.statuses,
      unread: Object.fromEntries(unread.map(([id, { place }]) => [id, place])),
      mentions: unread.filter(([, message]) => this.isMention(message)).map(([id]) => id),
      starred: [...this.starred].sort(byNumber),
      conversations: [...this.conversations].sort(),
    };
  }

  isSubscribed(channelId: number): boolean {
    return this.channels.get(channelId)?.['relation'] === 'subscriptions';
  }

  /** Clients without support for archived channels are not told of the topics there. */
  private topicsOfKnownChannels(): ReadonlyMap<string, Item> {
    const known = [...this.topics].filter(([, topic]) => this.channels.has(topic['stream_id'] as number));
    return new Map(known);
  }

  /** Wildcard mentions do not count where the person muted the conversation. */
  private isMention({ place, flags }: Unread): boolean {
    if (flags.includes('mentioned')) return true;
    return flags.some((flag) => flag.endsWith('wildcard_mentioned')) && !this.isMuted(place);
  }

  private isMuted(place: string): boolean {
    const policy: unknown = this.topics.get(place)?.['visibility_policy'] ?? 0;
    const channel = this.channels.get(Number(place.split(' ')[0]));
    return policy === 1 || (channel?.['is_muted'] === true && policy !== 2 && policy !== 3);
  }

  private addUnread({ streams, pms, huddles, mentions }: Item): void {
    const flagsOf = (id: number): string[] => ((mentions as number[]).includes(id) ? ['mentioned'] : []);
    const add = (ids: readonly number[], place: string): void => {
      for (const id of ids) this.unread.set(id, { place, flags: flagsOf(id) });
    };
    const others = (ids: readonly number[]): number[] => ids.filter((id) => id !== this.userId);
    for (const { stream_id, topic, unread_message_ids: ids } of streams) add(ids, placeOf(stream_id, topic));
    for (const { other_user_id: id, unread_message_ids: ids } of pms) add(ids, directPlace(others([id])));
    for (const { user_ids_string: who, unread_message_ids: ids } of huddles) {
      add(ids, directPlace(others((who as string).split(',').map(Number))));
    }
  }
}

/** The key of a topic's conversation. */
export function placeOf(channelId: number, topic: string): string {
  return `${channelId} ${topic}`;
}

/** The key of a direct conversation with these other people. */
export function directPlace(others: readonly number[]): string {
  return `@${[...others].sort(byNumber).join(',')}`;
}

function listsOf(state: Reply): ClientState['lists'] {
  const entries = Object.entries(keyOfLists).map(([list, key]) => {
    const items = state[list] as readonly Item[];
    return [list, new Map(items.map((item) => [item[key] as number | string, { ...item }]))];
  });
  return Object.fromEntries(entries) as ClientState['lists'];
}

/** In place of people whom a guest may not know; clients remove those whom they knew. */
function isHidden({ full_name: name }: Item): boolean {
  return name === 'Unknown user';
}

function sortedGroup(group: Item): Item {
  const ids = (name: string): number[] => [...(group[name] as number[])].sort(byNumber);
  return { ...group, members: ids('members'), direct_subgroup_ids: ids('direct_subgroup_ids') };
}

/** Without what clients cannot know: the settings of a former subscription to a channel that they had lost. */
function comparableChannel(channel: Item): Item {
  const { subscribers, ...fields } = channel;
  const shown = Object.entries(fields).filter(
    ([name]) =>
      channel['relation'] === 'subscriptions' || !(ofSubscription as readonly string[]).includes(name),
  );
  const ids = subscribers === undefined ? {} : { subscribers: [...(subscribers as number[])].sort(byNumber) };
  return { ...Object.fromEntries(shown), ...ids };
}

function sorted(items: ReadonlyMap<number | string, Item>): Item {
  return Object.fromEntries([...items].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

function byNumber(a: number, b: number): number {
  return a - b;
}
