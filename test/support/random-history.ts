import fc from 'fast-check';
import type { DirectoryEvent } from '../../src/access/directory-event-types.js';
import { firstGroups, firstOrganization } from '../../src/contexts/organization/first-events.decide.js';
import { systemGroupPermissions } from '../../src/access/group-permission-values.js';
import { ordinaryChannel } from './channels.js';

/** The events of one append. */
export interface HistoricalAppend {
  readonly stream: string;
  readonly events: readonly DirectoryEvent[];
}

/** One event of a history. Numbers select among the people and things that exist by then. */
interface Happening {
  readonly kind: (typeof kinds)[number];
  readonly who: number;
  readonly what: number;
  readonly others: readonly number[];
}

const kinds = [
  'register',
  'rename',
  'create field',
  'reorder fields',
  'delete field',
  'fill in profile',
  'change setting',
  'change status',
  'assign setting',
  'change default',
  'change role',
  'deactivate',
  'reactivate',
  'create group',
  'change members',
  'create channel',
  'rename channel',
  'archive',
  'subscribe',
  'unsubscribe',
  'set property',
] as const;

const happening: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constantFrom(...kinds),
  who: fc.nat(20),
  what: fc.nat(20),
  others: fc.array(fc.nat(20), { maxLength: 5 }),
});

/** A plausible history of an organization: its events only refer to what exists by then. */
export const randomHistory: fc.Arbitrary<readonly HistoricalAppend[]> = fc
  .array(happening, { minLength: 1, maxLength: 60 })
  .map((happenings) => {
    const history = new History();
    for (const one of happenings) history.tell(one);
    return history.appends;
  });

interface Subscribing {
  readonly userId: number;
  readonly userIds: number[];
  readonly channelId: number;
  readonly messageId: number;
}

class History {
  readonly appends: HistoricalAppend[] = [
    { stream: 'organization', events: firstOrganization('Analytical Engines') },
    { stream: 'groups', events: firstGroups() },
  ];
  private readonly lengths = new Map([['groups', firstGroups().length]]);
  private readonly users: number[] = [];
  private readonly groups: number[] = [];
  private readonly channels: number[] = [];
  private readonly fields: number[] = [];
  private fieldCount = 0;

  tell({ kind, who, what, others }: Happening): void {
    const userId = pick(this.users, who);
    if (kind === 'register' || userId === undefined) return this.register();
    const userIds = [...new Set(others.map((other) => pick(this.users, other) ?? userId))];
    const groupId = pick(this.groups, what);
    const channelId = pick(this.channels, what);
    switch (kind) {
      case 'rename':
        return this.append('users', { type: 'UserRenamed', data: { userId, fullName: `Name ${what}` } });
      case 'create field':
      case 'reorder fields':
      case 'delete field':
      case 'fill in profile':
        return this.tellOfProfiles(kind, userId, what);
      case 'change setting':
      case 'change status':
      case 'assign setting':
      case 'change default':
        return this.tellOfSettings(kind, userId, what);
      case 'change role':
        return this.append('users', {
          type: 'UserRoleChanged',
          data: { userId, role: 300, previousRole: 400 },
        });
      case 'deactivate':
        return this.append('users', { type: 'UserDeactivated', data: { userId } });
      case 'reactivate':
        return this.append('users', { type: 'UserReactivated', data: { userId } });
      case 'create group':
        return this.createGroup(userIds);
      case 'change members':
        if (groupId === undefined) return this.createGroup(userIds);
        return this.append('groups', {
          type: 'UserGroupMembersChanged',
          data: { groupId, added: userIds, removed: [userId].filter((id) => !userIds.includes(id)) },
        });
      default:
        if (kind === 'create channel' || channelId === undefined) return this.createChannel(userIds);
        return this.tellOfChannels(kind, { userId, userIds, channelId, messageId: what });
    }
  }

  private tellOfSettings(
    kind: 'change setting' | 'change status' | 'assign setting' | 'change default',
    userId: number,
    what: number,
  ): void {
    switch (kind) {
      case 'change setting':
        return this.append(`user-${userId}`, {
          type: 'UserSettingChanged',
          data: { userId, setting: 'color_scheme', value: 1 + (what % 3) },
        });
      case 'change status':
        return this.append(`user-${userId}`, {
          type: 'UserStatusChanged',
          data: { userId, text: `status ${what}`, emoji: what % 2 === 0 ? 'none' : null },
        });
      case 'assign setting':
        return this.append('user-settings', {
          type: 'UserSettingAssigned',
          data: { setting: 'enter_sends', value: what % 2 === 0, userIds: [userId] },
        });
      case 'change default':
        return this.append('user-settings', {
          type: 'UserSettingDefaultChanged',
          data: { setting: 'emojiset', value: what % 2 === 0 ? 'text' : 'twitter' },
        });
    }
  }

  private tellOfProfiles(
    kind: 'create field' | 'reorder fields' | 'delete field' | 'fill in profile',
    userId: number,
    what: number,
  ): void {
    const fieldId = pick(this.fields, what);
    if (kind === 'create field' || fieldId === undefined) return this.createField();
    if (kind === 'fill in profile') {
      const value = what % 3 === 0 ? null : `**note ${what}**`;
      const values = [{ fieldId, fieldType: 1 as const, value }];
      return this.append('users', { type: 'ProfileDataChanged', data: { userId, values } });
    }
    if (kind === 'reorder fields') {
      this.fields.reverse();
      const fieldIds = [...this.fields];
      return this.append('profile-fields', { type: 'ProfileFieldsReordered', data: { fieldIds } });
    }
    this.fields.splice(this.fields.indexOf(fieldId), 1);
    this.append('profile-fields', { type: 'ProfileFieldDeleted', data: { fieldId } });
  }

  private createField(): void {
    const fieldId = (this.fieldCount += 1);
    this.fields.push(fieldId);
    const data = {
      fieldId,
      name: `field ${fieldId}`,
      hint: '',
      fieldType: 1,
      fieldData: '',
      displayInSummary: false,
      required: false,
      editableByUser: true,
      useForMatching: false,
    } as const;
    this.append('profile-fields', { type: 'ProfileFieldCreated', data });
  }

  private tellOfChannels(
    kind: Happening['kind'],
    { userId, userIds, channelId, messageId }: Subscribing,
  ): void {
    switch (kind) {
      case 'rename channel':
        return this.append('channels', {
          type: 'ChannelRenamed',
          data: { channelId, name: `name ${messageId} of ${channelId}`, previousName: '' },
        });
      case 'archive':
        return this.append('channels', { type: 'ChannelArchived', data: { channelId } });
      default:
        return this.tellOfSubscriptions(kind, { userId, userIds, channelId, messageId });
    }
  }

  private tellOfSubscriptions(
    kind: Happening['kind'],
    { userId, userIds, channelId, messageId }: Subscribing,
  ): void {
    const stream = `channel-${channelId}`;
    switch (kind) {
      case 'subscribe':
        return this.append(stream, {
          type: 'UsersSubscribed',
          data: {
            channelId,
            userIds,
            afterMessageId: messageId,
            color: null,
            notify: false,
            continuation: [],
          },
        });
      case 'unsubscribe':
        return this.append(stream, {
          type: 'UsersUnsubscribed',
          data: { channelId, userIds, throughMessageId: messageId, continuation: [] },
        });
      default:
        return this.append(stream, {
          type: 'SubscriptionPropertyChanged',
          data: { channelId, userId, property: 'is_muted', value: messageId % 2 === 0, continuation: [] },
        });
    }
  }

  private register(): void {
    const userId = this.nextId('users');
    this.users.push(userId);
    this.append('users', {
      type: 'UserRegistered',
      data: {
        userId,
        email: `person${userId}@example.com`,
        emailDigest: `digest ${userId}`,
        fullName: `Person ${userId}`,
        role: 400,
        bot: null,
        awaitsFirstLogin: false,
      },
    });
  }

  private createGroup(memberIds: number[]): void {
    const groupId = this.nextId('groups');
    this.groups.push(groupId);
    const data = {
      groupId,
      name: `group ${groupId}`,
      description: '',
      isSystem: false,
      memberIds,
      subgroupIds: [],
    };
    this.append('groups', {
      type: 'UserGroupCreated',
      data: { ...data, permissions: systemGroupPermissions },
    });
  }

  private createChannel(subscriberIds: number[]): void {
    const channelId = this.nextId('channels');
    this.channels.push(channelId);
    const data = { ...ordinaryChannel, channelId, name: `channel ${channelId}`, subscriberIds };
    this.append('channels', { type: 'ChannelCreated', data });
  }

  private nextId(stream: string): number {
    return (this.lengths.get(stream) ?? 0) + 1;
  }

  private append(stream: string, event: DirectoryEvent): void {
    this.lengths.set(stream, this.nextId(stream));
    this.appends.push({ stream, events: [event] });
  }
}

function pick(ids: readonly number[], choice: number): number | undefined {
  return ids[choice % Math.max(1, ids.length)];
}
