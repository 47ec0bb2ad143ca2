import type { RecordedEvent } from '../kernel/event.js';
import { applyToRecords } from './directory-changes.js';
import type { DirectoryEvent } from './directory-event-types.js';
import {
  indexRecords,
  listRecords,
  type DirectoryRecords,
  type IndexedRecords,
} from './directory-records.js';
import type { PeopleSettings } from './people-settings.js';
import type { Channel } from './records/channel.js';
import type { ChannelFolders } from './records/channel-folders.js';
import type { CustomEmojiSet } from './records/custom-emoji.js';
import type { Linkifiers } from './records/linkifiers.js';
import type { Organization } from './records/organization.js';
import type { Profiles } from './records/profiles.js';
import type { Status } from './records/status.js';
import { isSubscribed, type Subscription } from './records/subscription.js';
import type { User } from './records/user.js';
import type { UserGroup } from './records/user-group.js';

/** Events that activate or deactivate accounts. */
const changeActivity: ReadonlySet<string> = new Set(['UserDeactivated', 'UserReactivated', 'PersonErased']);

/**
 * Everyone and everything as of one log position: users, their settings and profiles, groups, channels,
 * subscriptions and the organization. It is small and used all the time, so every node has it in memory.
 * Folded up to an earlier position, it answers for the past.
 */
export class Directory {
  /**
   * A new object after every event: what derives from the directory alone is valid as long as this is the
   * same object.
   */
  state: object = {};
  /** A new object after every event about a user group, for what derives from the groups alone. */
  groupState: object = {};
  private readonly records: IndexedRecords;
  /** Cached counts, by channel; dropped when an event changes them. */
  private readonly subscriberCounts = new Map<number, number>();

  constructor(
    records: DirectoryRecords | null = null,
    /** Log position of the last event that it includes. */
    public position: number | null = null,
  ) {
    this.records = indexRecords(records);
  }

  /** A copy that is changed independently. The records are shared, because they are immutable. */
  copy(): Directory {
    return new Directory(listRecords(this.records), this.position);
  }

  /**
   * Applies the next event of the log. Events must come in log order; one that it already includes changes
   * nothing.
   */
  apply(event: RecordedEvent<DirectoryEvent>): void {
    if (this.position !== null && event.position <= this.position) return;
    this.position = event.position;
    this.state = {};
    if ('groupId' in event.data) this.groupState = {};
    applyToRecords(this.records, event);
    this.forgetCounts(event);
  }

  private forgetCounts({ type, data }: RecordedEvent<DirectoryEvent>): void {
    if (changeActivity.has(type)) this.subscriberCounts.clear();
    else if ('channelId' in data) this.subscriberCounts.delete(data.channelId);
  }

  /** Null before it was created. */
  get organization(): Organization | null {
    return this.records.organization;
  }

  /** Whether an owner deactivated the organization: nobody may log in or send. */
  get isDeactivated(): boolean {
    return this.organization?.isDeactivated === true;
  }

  /** The organization's name; the product's name before the organization exists. */
  get organizationName(): string {
    return this.organization?.settings.name ?? 'Palimpsest';
  }

  /** Everyone's settings. */
  get settings(): PeopleSettings {
    return this.records.settings;
  }

  /** By account; people without a status are missing. */
  get statuses(): ReadonlyMap<number, Status> {
    return this.records.statuses;
  }

  /** Everyone's profiles, and the fields that profiles have. */
  get profiles(): Profiles {
    return this.records.profiles;
  }

  /** The rules by which texts become links. */
  get linkifiers(): Linkifiers {
    return this.records.linkifiers;
  }

  /** The organization's own emoji. */
  get customEmoji(): CustomEmojiSet {
    return this.records.customEmoji;
  }

  get channelFolders(): ChannelFolders {
    return this.records.channelFolders;
  }

  user(id: number): User | null {
    return this.records.people.get(id);
  }

  /**
   * Finds the account that holds an address, by the keyed digest of the address (see the vault). An erased account still
   * holds its address, so that nobody else can register with it.
   */
  userByEmailDigest(digest: string): User | null {
    return this.records.people.withEmailDigest(digest);
  }

  /**
   * Finds the account with an address for somebody who looks it up, by the keyed digest of the address. Null also for an
   * erased account: whose it was must not be found out.
   */
  findByEmailDigest(digest: string): User | null {
    const user = this.userByEmailDigest(digest);
    return user?.isErased === true ? null : user;
  }

  /** All accounts with a name, in any case. */
  usersByName(name: string): Iterable<User> {
    return this.records.people.named(name);
  }

  users(): Iterable<User> {
    return this.records.people.all();
  }

  group(id: number): UserGroup | null {
    return this.records.groups.get(id);
  }

  /** Group names are compared exactly. */
  groupByName(name: string): UserGroup | null {
    for (const group of this.records.groups.named(name)) {
      if (group.name === name) return group;
    }
    return null;
  }

  groups(): Iterable<UserGroup> {
    return this.records.groups.all();
  }

  channel(id: number): Channel | null {
    return this.records.channels.get(id);
  }

  /** Channel names are compared ignoring case. */
  channelByName(name: string): Channel | null {
    for (const channel of this.records.channels.named(name)) return channel;
    return null;
  }

  /** All channels of a name, ignoring case. */
  channelsNamed(name: string): Iterable<Channel> {
    return this.records.channels.named(name);
  }

  channels(): Iterable<Channel> {
    return this.records.channels.all();
  }

  /** Also that of a person who left: see {@link isSubscribed}. */
  subscription(channelId: number, userId: number): Subscription | null {
    return this.records.subscriptions.get(channelId, userId);
  }

  /** Of everyone who is or was subscribed to the channel. */
  subscriptionsOf(channelId: number): Iterable<Subscription> {
    return this.records.subscriptions.ofChannel(channelId);
  }

  /** How many people are or were subscribed to the channel. */
  subscriptionCount(channelId: number): number {
    return this.records.subscriptions.countOf(channelId);
  }

  /** Of every channel that the person is or was subscribed to. */
  subscriptionsOfUser(userId: number): Iterable<Subscription> {
    return this.records.subscriptions.ofUser(userId);
  }

  /** Ids of the active accounts that are subscribed now, in rising order. */
  subscriberIds(channelId: number): number[] {
    return [...this.activeSubscriberIds(channelId)].sort((a, b) => a - b);
  }

  /** How many active accounts are subscribed now. */
  subscriberCount(channelId: number): number {
    let count = this.subscriberCounts.get(channelId);
    if (count === undefined) {
      count = 0;
      for (const _id of this.activeSubscriberIds(channelId)) count += 1;
      this.subscriberCounts.set(channelId, count);
    }
    return count;
  }

  private *activeSubscriberIds(channelId: number): Iterable<number> {
    for (const subscription of this.subscriptionsOf(channelId)) {
      if (isSubscribed(subscription) && this.user(subscription.userId)?.isActive === true) {
        yield subscription.userId;
      }
    }
  }
}

/**
 * Caches a result that derives from the directory alone, once for each of its states: see {@link
 * Directory.state}.
 */
export class PerDirectoryState<Result> {
  private readonly known = new WeakMap<object, { readonly result: Result }>();

  /** @param make computes the result for this state of the directory; pure */
  of({ state }: Pick<Directory, 'state'>, make: () => Result): Result {
    const known = this.known.get(state);
    if (known !== undefined) return known.result;
    const result = make();
    this.known.set(state, { result });
    return result;
  }
}
