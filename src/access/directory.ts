import type { Channel } from './records/channel.js';
import type { ChannelFolders } from './records/channel-folders.js';
import { isSubscribed, type Subscription } from './records/subscription.js';
import type { CustomEmojiSet } from './records/custom-emoji.js';
import type { RecordedEvent } from '../kernel/event.js';
import type { Linkifiers } from './records/linkifiers.js';
import type { Organization } from './records/organization.js';
import type { Profiles } from './records/profiles.js';
import type { Status } from './records/status.js';
import type { UserGroup } from './records/user-group.js';
import type { User } from './records/user.js';
import { applyToRecords } from './directory-changes.js';
import type { DirectoryEvent } from './directory-event-types.js';
import {
  indexRecords,
  listRecords,
  type DirectoryRecords,
  type IndexedRecords,
} from './directory-records.js';
import type { PeopleSettings } from './people-settings.js';

/** Events that change whether accounts are active. */
const changeActivity: ReadonlySet<string> = new Set(['UserDeactivated', 'UserReactivated', 'PersonErased']);

/**
 * Who exists and who may do what, as of one position of the log: users, their settings and profiles, groups, channels,
 * subscriptions and the organization. Small and hot, so every node holds it in memory; folded up to an earlier position it answers for the past.
 */
export class Directory {
  /** Another object after every event: whatever follows from the directory alone holds for as long as this is the same. */
  state: object = {};
  private readonly records: IndexedRecords;
  /** By channel, for those that were asked for since anything changed them. */
  private readonly subscriberCounts = new Map<number, number>();

  constructor(
    records: DirectoryRecords | null = null,
    /** The last event that it reflects. */
    public position: number | null = null,
  ) {
    this.records = indexRecords(records);
  }

  /** The same as of the same position, to go on by itself. The records are shared: they never change. */
  copy(): Directory {
    return new Directory(listRecords(this.records), this.position);
  }

  /** Applies the next event of the log. Events must come in log order; one that it reflects already changes nothing. */
  apply(event: RecordedEvent<DirectoryEvent>): void {
    if (this.position !== null && event.position <= this.position) return;
    this.position = event.position;
    this.state = {};
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

  /** Whether an owner deactivated the organization: nobody is let in, and nothing is sent in anybody's name. */
  get isClosed(): boolean {
    return this.organization?.isDeactivated === true;
  }

  /** What people call the organization: the product's name before there is one. */
  get organizationName(): string {
    return this.organization?.settings.name ?? 'Palimpsest';
  }

  /** What is set for each person. */
  get settings(): PeopleSettings {
    return this.records.settings;
  }

  /** By account; who never said anything has none. */
  get statuses(): ReadonlyMap<number, Status> {
    return this.records.statuses;
  }

  /** What people say of themselves, and in which fields. */
  get profiles(): Profiles {
    return this.records.profiles;
  }

  /** By which rules texts become links. */
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

  /** By the keyed digest of an address (see the vault). */
  userByEmailDigest(digest: string): User | null {
    return this.records.people.withEmailDigest(digest);
  }

  /** Everyone of that name, whatever its case. */
  usersByName(name: string): Iterable<User> {
    return this.records.people.named(name);
  }

  users(): Iterable<User> {
    return this.records.people.all();
  }

  group(id: number): UserGroup | null {
    return this.records.groups.get(id);
  }

  /** Group names are spelled exactly. */
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

  /** Names ignore case. */
  channelByName(name: string): Channel | null {
    for (const channel of this.records.channels.named(name)) return channel;
    return null;
  }

  channels(): Iterable<Channel> {
    return this.records.channels.all();
  }

  /** Also of one who left: see {@link isSubscribed}. */
  subscription(channelId: number, userId: number): Subscription | null {
    return this.records.subscriptions.get(channelId, userId);
  }

  /** Everyone who is or was subscribed to the channel. */
  subscriptionsOf(channelId: number): Iterable<Subscription> {
    return this.records.subscriptions.ofChannel(channelId);
  }

  /** Every channel that the person is or was subscribed to. */
  subscriptionsOfUser(userId: number): Iterable<Subscription> {
    return this.records.subscriptions.ofUser(userId);
  }

  /** Ids of the active accounts that are subscribed now, rising. */
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
