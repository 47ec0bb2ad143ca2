import { describe, expect, it } from '@jest/globals';
import type { ChannelPermissions, ChannelPrivacy } from '../../src/events/channels.js';
import type { Channel } from '../../src/access/records/channel.js';
import type { Snapshot } from '../../src/access/snapshot.js';
import {
  hasContentAccess,
  hasMetadataAccess,
  mayAddSubscribers,
  mayAdministerChannel,
  mayChangeContentAccess,
  mayCreateChannel,
  mayCreateTopic,
  mayDeleteAnyMessage,
  mayDeleteOwnMessage,
  mayMentionGroup,
  mayMentionMany,
  mayMoveOutOfChannel,
  mayMoveWithinChannel,
  mayRemoveSubscribers,
  mayResolveTopics,
  maySendTo,
  mayStartConversation,
  maySubscribe,
  permitsConversation,
} from '../../src/access/permissions.js';
import type { OrganizationPermissions } from '../../src/events/values/organization-permissions.js';
import type { User } from '../../src/access/records/user.js';
import { createChannel, ordinaryChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';

const nobody = 8;
const publicPrivacy: ChannelPrivacy = {
  inviteOnly: false,
  historyPublicToSubscribers: true,
  isWebPublic: false,
};
const privatePrivacy: ChannelPrivacy = { ...publicPrivacy, inviteOnly: true };
const webPublicPrivacy: ChannelPrivacy = { ...publicPrivacy, isWebPublic: true };

const people = [
  'owner',
  'administrator',
  'moderator',
  'member',
  'subscriber',
  'guest',
  'subscribedGuest',
] as const;
type Person = (typeof people)[number];

interface Scene {
  readonly privacy?: ChannelPrivacy;
  readonly permissions?: Partial<ChannelPermissions>;
  readonly organization?: Partial<OrganizationPermissions>;
  /** A person to whom no other permission applies. */
  readonly grant?: keyof ChannelPermissions;
}

/** A channel, a person of each role outside of it, a subscribed member and a subscribed guest. */
class Stage {
  readonly world: TestOrganization;
  readonly ids: Record<Person, number>;
  readonly channelId: number;

  constructor({ privacy = publicPrivacy, permissions = {}, organization = {}, grant }: Scene) {
    this.world = new TestOrganization({}, organization);
    this.ids = {
      owner: this.world.register({ role: 100 }),
      administrator: this.world.register({ role: 200 }),
      moderator: this.world.register({ role: 300 }),
      member: this.world.register({ role: 400 }),
      subscriber: this.world.register({ role: 400 }),
      guest: this.world.register({ role: 600 }),
      subscribedGuest: this.world.register({ role: 600 }),
    };
    const { member, guest, subscriber, subscribedGuest } = this.ids;
    const granted = grant && { [grant]: { direct_members: [member, guest], direct_subgroups: [] } };
    this.channelId = createChannel(this.world, [subscriber, subscribedGuest], {
      privacy,
      permissions: { ...ordinaryChannel.permissions, ...permissions, ...granted },
    });
  }

  get snapshot(): Snapshot {
    return this.world.snapshot();
  }

  get channel(): Channel {
    return this.snapshot.directory.channel(this.channelId)!;
  }

  user(person: Person): User {
    return this.world.user(this.ids[person]);
  }

  /** The people who have a permission. */
  who(may: (snapshot: Snapshot, user: User, channel: Channel) => boolean): Person[] {
    return people.filter((person) => may(this.snapshot, this.user(person), this.channel));
  }
}

function who(
  may: (snapshot: Snapshot, user: User, channel: Channel) => boolean,
  scene: Scene = {},
): Person[] {
  return new Stage(scene).who(may);
}

const everyone = [...people];
const subscribed: Person[] = ['subscriber', 'subscribedGuest'];
const administrators: Person[] = ['owner', 'administrator'];
const allButGuests = people.filter((person) => person !== 'guest');

describe('reading a channel', () => {
  it('is for everyone but outside guests where it is public, and for all where it is open to the web', () => {
    expect(who(hasContentAccess)).toEqual(allButGuests);
    expect(who(hasContentAccess, { privacy: webPublicPrivacy })).toEqual(everyone);
  });

  it('is for subscribers if it is private, not for other people of any role', () => {
    expect(who(hasContentAccess, { privacy: privatePrivacy })).toEqual(subscribed);
  });

  it.each(['can_subscribe_group', 'can_add_subscribers_group'] as const)(
    'is also for those whom %s of a private channel names, guests never',
    (grant) => {
      expect(who(hasContentAccess, { privacy: privatePrivacy, grant })).toEqual(['member', ...subscribed]);
    },
  );

  it('ends with the subscription', () => {
    const stage = new Stage({ privacy: privatePrivacy });
    const { channelId, ids } = stage;
    const data = { channelId, userIds: [ids.subscriber], throughMessageId: 0, continuation: [] };
    stage.world.log.append(`channel-${channelId}`, [{ type: 'UsersUnsubscribed', data }]);
    expect(stage.who(hasContentAccess)).toEqual(['subscribedGuest']);
  });
});

describe('access to the metadata of a channel', () => {
  it('is for administrators too where it is private, and for those who administer it', () => {
    expect(who(hasMetadataAccess, { privacy: privatePrivacy })).toEqual([...administrators, ...subscribed]);
    expect(
      who(hasMetadataAccess, { privacy: privatePrivacy, grant: 'can_administer_channel_group' }),
    ).toEqual([...administrators, 'member', ...subscribed]);
  });
});

describe('administering a channel', () => {
  it('is for administrators and those whom the channel names, guests never', () => {
    expect(who(mayAdministerChannel)).toEqual(administrators);
    expect(who(mayAdministerChannel, { grant: 'can_administer_channel_group' })).toEqual([
      ...administrators,
      'member',
    ]);
  });

  it('does not include changing who can read a channel that the administrator cannot read', () => {
    expect(who(mayChangeContentAccess, { privacy: privatePrivacy })).toEqual([]);
    expect(who(mayChangeContentAccess)).toEqual(administrators);
  });
});

describe('creating channels', () => {
  it('asks for the permission of the kind of channel, and is never for guests', () => {
    const creators = (privacy: ChannelPrivacy): Person[] =>
      who((snapshot, user) => mayCreateChannel(snapshot, user, privacy), {
        organization: { can_create_private_channel_group: 5, can_create_public_channel_group: 2 },
      });
    expect(creators(publicPrivacy)).toEqual(['owner', 'administrator', 'moderator', 'member', 'subscriber']);
    expect(creators(privatePrivacy)).toEqual(['owner', 'administrator', 'moderator']);
    expect(creators(webPublicPrivacy)).toEqual(['owner']);
  });
});

describe('subscriptions', () => {
  it('are allowed to everyone who may read the channel; to guests only in web-public channels', () => {
    expect(who(maySubscribe)).toEqual(['owner', 'administrator', 'moderator', 'member', 'subscriber']);
    expect(who(maySubscribe, { privacy: privatePrivacy })).toEqual(['subscriber']);
    expect(who(maySubscribe, { privacy: webPublicPrivacy })).toEqual(everyone);
  });

  it('are given by those who may read the channel and hold the permission', () => {
    const organization = { can_add_subscribers_group: nobody };
    expect(who(mayAddSubscribers)).toEqual(['owner', 'administrator', 'moderator', 'member', 'subscriber']);
    expect(who(mayAddSubscribers, { organization })).toEqual(administrators);
    expect(who(mayAddSubscribers, { organization, grant: 'can_add_subscribers_group' })).toEqual([
      ...administrators,
      'member',
    ]);
    expect(who(mayAddSubscribers, { privacy: privatePrivacy })).toEqual(['subscriber']);
  });

  it('are taken away by administrators and those whom the channel names', () => {
    expect(who(mayRemoveSubscribers)).toEqual(administrators);
    expect(who(mayRemoveSubscribers, { grant: 'can_remove_subscribers_group' })).toEqual([
      ...administrators,
      'member',
    ]);
  });
});

describe('sending to a channel', () => {
  it('is allowed to readers whom the channel’s permission includes, with no exception for administrators', () => {
    expect(who(maySendTo)).toEqual(allButGuests);
    expect(who(maySendTo, { privacy: privatePrivacy })).toEqual(subscribed);
    expect(who(maySendTo, { permissions: { can_send_message_group: 5 } })).toEqual([
      'owner',
      'administrator',
      'moderator',
    ]);
    expect(who(maySendTo, { permissions: { can_send_message_group: nobody } })).toEqual([]);
  });

  it('is allowed only to subscribers in a private channel with protected history', () => {
    const guarded = { ...privatePrivacy, historyPublicToSubscribers: false };
    for (const grant of ['can_subscribe_group', 'can_add_subscribers_group'] as const) {
      expect(who(maySendTo, { privacy: guarded, grant })).toEqual(subscribed);
      expect(who(maySendTo, { privacy: privatePrivacy, grant })).toEqual(['member', ...subscribed]);
    }
  });

  it('ends when the channel is archived, save for the server’s own bots', () => {
    const stage = new Stage({});
    const { channelId } = stage;
    stage.world.log.append('channels', [{ type: 'ChannelArchived', data: { channelId } }]);
    const bot = stage.world.register({ bot: { type: 1, ownerId: null, isSystem: true } });
    expect(stage.who(maySendTo)).toEqual([]);
    expect(maySendTo(stage.snapshot, stage.world.user(bot), stage.channel)).toBe(true);
  });

  it('is a bot’s right wherever its owner may', () => {
    const stage = new Stage({ privacy: privatePrivacy });
    const { subscriber, member } = stage.ids;
    const may = (ownerId: number): boolean => {
      const bot = stage.world.register({ bot: { type: 1, ownerId, isSystem: false } });
      return maySendTo(stage.snapshot, stage.world.user(bot), stage.channel);
    };
    expect(may(subscriber)).toBe(true);
    expect(may(member)).toBe(false);
  });

  it('to a new topic asks for a permission of its own', () => {
    expect(who(mayCreateTopic)).toEqual(everyone);
    expect(who(mayCreateTopic, { permissions: { can_create_topic_group: 5 } })).toEqual([
      'owner',
      'administrator',
      'moderator',
    ]);
  });
});

describe('changing messages of a channel', () => {
  const closed = {
    can_resolve_topics_group: nobody,
    can_move_messages_between_topics_group: nobody,
    can_move_messages_between_channels_group: nobody,
    can_delete_any_message_group: nobody,
    can_delete_own_message_group: nobody,
  };

  it('follows the organization’s permissions', () => {
    expect(who(mayResolveTopics)).toEqual(allButGuests);
    expect(who(mayMoveWithinChannel)).toEqual(allButGuests);
    expect(who(mayMoveOutOfChannel)).toEqual(['owner', 'administrator', 'moderator', 'member', 'subscriber']);
    expect(who(mayDeleteAnyMessage)).toEqual(administrators);
    expect(who(mayDeleteOwnMessage)).toEqual(everyone);
  });

  it.each([
    ['can_resolve_topics_group', mayResolveTopics, []],
    ['can_move_messages_within_channel_group', mayMoveWithinChannel, administrators],
    ['can_move_messages_out_of_channel_group', mayMoveOutOfChannel, administrators],
    ['can_delete_any_message_group', mayDeleteAnyMessage, []],
    ['can_delete_own_message_group', mayDeleteOwnMessage, []],
  ] as const)('follows the channel’s %s where the organization grants nothing', (grant, may, always) => {
    expect(who(may, { organization: closed })).toEqual(always);
    expect(who(may, { organization: closed, grant })).toEqual([...always, 'member']);
  });

  it('needs to be able to read it', () => {
    const privacy = privatePrivacy;
    expect(who(mayMoveWithinChannel, { privacy, organization: closed })).toEqual([]);
    expect(
      who(mayMoveWithinChannel, {
        privacy,
        organization: closed,
        grant: 'can_move_messages_within_channel_group',
      }),
    ).toEqual([]);
  });
});

describe('direct conversations', () => {
  const alone = new TestOrganization(
    {},
    { direct_message_permission_group: 6, direct_message_initiator_group: 6 },
  );
  const [administrator, member, other] = ([200, 400, 400] as const).map((role) =>
    alone.user(alone.register({ role })),
  ) as [User, User, User];
  const bot = alone.user(alone.register({ bot: { type: 1, ownerId: member.id, isSystem: false } }));
  const serverBot = alone.user(alone.register({ bot: { type: 1, ownerId: null, isSystem: true } }));

  it('are begun by those who hold the permission', () => {
    const begins = (sender: User, ...others: User[]): boolean =>
      mayStartConversation(alone.snapshot(), sender, [sender, ...others]);
    expect(begins(administrator, member)).toBe(true);
    expect(begins(member, administrator)).toBe(false);
    expect([begins(serverBot, member), begins(bot, member, other)]).toEqual([true, true]);
    expect([begins(member), begins(member, bot), begins(member, bot, serverBot)]).toEqual([true, true, true]);
  });

  it('need one participant who holds the permission, unless a bot talks, or somebody with bots or themselves', () => {
    const permits = (sender: User, ...others: User[]): boolean =>
      permitsConversation(alone.snapshot(), sender, [sender, ...others]);
    expect([permits(member, other), permits(member, other, bot)]).toEqual([false, false]);
    expect(permits(member, other, administrator)).toBe(true);
    expect([permits(member), permits(member, bot)]).toEqual([true, true]);
    expect([permits(bot, member, other), permits(serverBot, member, other)]).toEqual([true, true]);
  });

  it('and mentions of many are a permission of their own', () => {
    expect(mayMentionMany(alone.snapshot(), administrator)).toBe(true);
    expect(mayMentionMany(alone.snapshot(), member)).toBe(false);
  });
});

describe('mentioning a group', () => {
  it('follows the group’s own setting', () => {
    const world = new TestOrganization();
    const [ada, bo] = [world.register(), world.register()];
    const group = world.group([], [], { can_mention_group: { direct_members: [ada], direct_subgroups: [] } });
    const may = (id: number, groupId: number): boolean =>
      mayMentionGroup(world.snapshot(), world.user(id), world.userGroup(groupId));
    expect([may(ada, group), may(bo, group), may(ada, 3)]).toEqual([true, false, false]);
  });
});
