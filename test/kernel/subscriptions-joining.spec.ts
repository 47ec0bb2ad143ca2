import { describe, expect, it } from '@jest/globals';
import {
  decideSubscribing,
  MAX_NOTIFIED,
  type SubscribingDecision,
  type SubscribingRequest,
} from '../../src/contexts/channels/subscribing.decide.js';
import { systemGroupIds } from '../../src/events/values/organization-defaults.js';
import type { User } from '../../src/access/records/user.js';
import {
  ada,
  bo,
  created,
  gil,
  given,
  gone,
  iago,
  openPrivacy,
  owner,
  privatePrivacy,
  subscribed,
  unsubscribed,
  type World,
} from './channels-world.js';
import { defaultChannelSettings } from '../support/default-channel-settings.js';

type Asked = Omit<Partial<SubscribingRequest>, 'channels'> & { readonly names: readonly string[] };

function subscribe(world: World, caller: User, { names, ...rest }: Asked): SubscribingDecision {
  const request: SubscribingRequest = {
    channels: names.map((name) => ({ name, description: '', color: null })),
    userIds: [caller.id],
    settings: defaultChannelSettings,
    announce: false,
    notify: true,
    refusalIsFatal: true,
    ...rest,
  };
  const { snapshot, isSubscriber } = world;
  return decideSubscribing(world.channels, request, {
    snapshot,
    user: caller,
    isSubscriber,
    lastMessageId: 41,
  });
}

function withSettings(
  settings: Partial<typeof defaultChannelSettings>,
): Pick<SubscribingRequest, 'settings'> {
  return { settings: { ...defaultChannelSettings, ...settings } };
}

describe('subscribing to a channel that does not exist', () => {
  it('creates it with its first subscribers in one event', () => {
    const { events, outcome } = subscribe(given([]), iago, { names: ['  engines '], userIds: [3, 4] });
    expect(events).toMatchObject([
      {
        type: 'ChannelCreated',
        data: {
          channelId: 1,
          name: 'engines',
          creatorId: 3,
          subscriberIds: [3, 4],
          privacy: openPrivacy,
          topicsPolicy: 'inherit',
          permissions: { can_administer_channel_group: { direct_members: [3], direct_subgroups: [] } },
          continuation: [],
        },
      },
    ]);
    expect([...outcome.subscribed]).toEqual([
      [3, ['engines']],
      [4, ['engines']],
    ]);
  });

  it('gives each channel the id that follows from its place in the stream', () => {
    const world = given([created(1), { type: 'ChannelArchived', data: { channelId: 1 } }]);
    const { events } = subscribe(world, iago, { names: ['a', 'b'] });
    expect(events.map(({ data }) => data.channelId)).toEqual([3, 4]);
  });

  it('creates a channel once that a request names twice in different case', () => {
    const { events } = subscribe(given([]), iago, { names: ['Engines', 'ENGINES', 'ｅｎｇｉｎｅｓ'] });
    expect(events).toHaveLength(1);
  });

  it.each([
    ['   ', 'channelNameEmpty'],
    ['x'.repeat(61), 'channelNameTooLong'],
    ['a\u0007b', 'channelNameUnprintable'],
    ['a\uFFFFb', 'channelNameUnprintable'],
  ])('refuses the name %j', (name, row) => {
    expect(() => subscribe(given([]), iago, { names: [name] })).toThrow(expect.objectContaining({ row }));
  });

  it('counts code points, not code units', () => {
    expect(subscribe(given([]), iago, { names: ['𝒙'.repeat(60)] }).events).toHaveLength(1);
  });

  it('is refused to guests', () => {
    expect(() => subscribe(given([]), gil, { names: ['engines'] })).toThrow(
      expect.objectContaining({ row: 'guestsNotAllowed' }),
    );
  });

  it.each([
    ['public', {}, 'can_create_public_channel_group'],
    ['private', { inviteOnly: true }, 'can_create_private_channel_group'],
    ['web-public', { isWebPublic: true }, 'can_create_web_public_channel_group'],
  ] as const)('takes the permission to create a %s channel', (_kind, settings, permission) => {
    const closed = given([], { [permission]: systemGroupIds.nobody });
    const open = given([], { [permission]: systemGroupIds.members });
    const request = { names: ['engines'], ...withSettings(settings) };
    expect(() => subscribe(closed, iago, request)).toThrow(
      expect.objectContaining({ row: 'insufficientPermission' }),
    );
    expect(subscribe(open, iago, request).events).toHaveLength(1);
  });

  it('protects the history of a private channel unless the request says otherwise', () => {
    const settings = withSettings({ inviteOnly: true });
    const shared = withSettings({ inviteOnly: true, historyPublicToSubscribers: true });
    expect(subscribe(given([]), iago, { names: ['a'], ...settings }).events).toMatchObject([
      { data: { privacy: privatePrivacy } },
    ]);
    expect(subscribe(given([]), iago, { names: ['a'], ...shared }).events).toMatchObject([
      { data: { privacy: { inviteOnly: true, historyPublicToSubscribers: true } } },
    ]);
  });

  it('lets everyone say what a new channel has anyway', () => {
    const world = given([], { can_set_topics_policy_group: systemGroupIds.administrators });
    const settings = withSettings({
      messageRetentionDays: null,
      topicsPolicy: 'inherit',
      inviteOnly: true,
      permissions: {
        can_delete_any_message_group: systemGroupIds.nobody,
        can_delete_own_message_group: { direct_members: [], direct_subgroups: [systemGroupIds.nobody] },
        can_create_topic_group: systemGroupIds.everyone,
      },
    });
    expect(subscribe(world, iago, { names: ['engines'], ...settings }).events).toMatchObject([
      { data: { messageRetentionDays: null, topicsPolicy: 'inherit' } },
    ]);
  });

  it('never tells by a refusal which topics a protected history holds', () => {
    const permissions = { can_create_topic_group: systemGroupIds.moderators };
    const guarded = withSettings({ inviteOnly: true, permissions });
    const shared = withSettings({ inviteOnly: true, historyPublicToSubscribers: true, permissions });
    expect(() => subscribe(given([]), iago, { names: ['engines'], ...guarded })).toThrow(
      expect.objectContaining({ row: 'unsupportedParameterCombination' }),
    );
    expect(subscribe(given([]), iago, { names: ['engines'], ...shared }).events).toHaveLength(1);
  });

  it.each([
    ['a retention policy by others than owners', { messageRetentionDays: 30 }, 'ownerRequired'],
    ['a default channel by others than administrators', { isDefault: true }, 'insufficientPermission'],
    ['an unknown folder', { folderId: 7 }, 'invalidChannelFolder'],
    ['an unknown group', { permissions: { can_send_message_group: 99 } }, 'invalidGroupSetting'],
    [
      'a deactivated member',
      { permissions: { can_send_message_group: { direct_members: [gone.id], direct_subgroups: [] } } },
      'invalidGroupSetting',
    ],
    [
      'the whole Internet',
      { permissions: { can_send_message_group: systemGroupIds.internet } },
      'groupNotAllowed',
    ],
    [
      'guests who let themselves in',
      { permissions: { can_subscribe_group: systemGroupIds.everyone } },
      'groupNotAllowed',
    ],
    [
      'deleting rights by others than moderators',
      { permissions: { can_delete_any_message_group: systemGroupIds.members } },
      'insufficientPermission',
    ],
  ])('refuses %s', (_what, settings, row) => {
    const request = { names: ['engines'], ...withSettings(settings) };
    expect(() => subscribe(given([]), iago, request)).toThrow(expect.objectContaining({ row }));
  });

  it('leaves the retention of a new channel to owners, also where an administrator makes it', () => {
    const request = { names: ['engines'], ...withSettings({ messageRetentionDays: 30 }) };
    expect(() => subscribe(given([]), ada, request)).toThrow(
      expect.objectContaining({ row: 'ownerRequired' }),
    );
    expect(subscribe(given([]), owner, request).events).toMatchObject([
      { data: { messageRetentionDays: 30 } },
    ]);
  });

  it.each([
    ['private and web-public at once', { inviteOnly: true, isWebPublic: true }, 'channelPrivacyInconsistent'],
    ['both private and a default', { isDefault: true, inviteOnly: true }, 'defaultChannelPrivate'],
  ])('refuses a channel that is %s, even to owners', (_what, settings, row) => {
    const request = { names: ['engines'], ...withSettings(settings) };
    expect(() => subscribe(given([]), owner, request)).toThrow(expect.objectContaining({ row }));
  });

  it('lets its creator add others even where the organization does not', () => {
    const world = given([], { can_add_subscribers_group: systemGroupIds.nobody });
    expect(subscribe(world, iago, { names: ['engines'], userIds: [3, 4] }).events).toHaveLength(1);
  });

  it('refuses others where neither the organization nor the new channel lets its creator add them', () => {
    const world = given([], { can_add_subscribers_group: systemGroupIds.nobody });
    const settings = withSettings({ permissions: { can_administer_channel_group: systemGroupIds.owners } });
    expect(() => subscribe(world, iago, { names: ['engines'], userIds: [4], ...settings })).toThrow(
      expect.objectContaining({ row: 'insufficientPermission' }),
    );
  });
});

describe('subscribing to a channel that exists', () => {
  it('subscribes people who are not subscribed yet, from the last message on', () => {
    const world = given([created(1, { subscriberIds: [3] })]);
    const { events, outcome } = subscribe(world, iago, { names: ['CHANNEL 1'], userIds: [3, 4] });
    expect(events).toMatchObject([
      { type: 'UsersSubscribed', data: { channelId: 1, userIds: [4], afterMessageId: 41, notify: true } },
    ]);
    expect([...outcome.subscribed]).toEqual([[4, ['channel 1']]]);
    expect([...outcome.alreadySubscribed]).toEqual([[3, ['channel 1']]]);
  });

  it('changes nothing when everybody is subscribed', () => {
    const world = given([created(1, { subscriberIds: [3] })]);
    expect(subscribe(world, iago, { names: ['channel 1'] }).events).toEqual([]);
  });

  it('subscribes again those who left', () => {
    const world = given([created(1, { subscriberIds: [3] }), unsubscribed(1, [3])]);
    expect(subscribe(world, iago, { names: ['channel 1'] }).events).toMatchObject([
      { data: { userIds: [3] } },
    ]);
  });

  it('leaves further channels to the continuation of the first event', () => {
    const world = given([created(1), created(2), created(3, { subscriberIds: [3] })]);
    const { events } = subscribe(world, iago, { names: ['channel 1', 'channel 2', 'channel 3'] });
    expect(events).toMatchObject([
      { data: { channelId: 1, continuation: [{ channelId: 2, userIds: [3], color: null }] } },
    ]);
  });

  it('rides in the first creation when the request creates channels too', () => {
    const world = given([created(1)]);
    const { events } = subscribe(world, iago, { names: ['channel 1', 'a', 'b'], userIds: [4] });
    expect(events).toMatchObject([
      { type: 'ChannelCreated', data: { continuation: [{ channelId: 1, userIds: [4] }], notify: true } },
      { type: 'ChannelCreated', data: { continuation: [], notify: false } },
    ]);
  });

  it.each([['a private channel', [created(1, { privacy: privatePrivacy, creatorId: owner.id })]]])(
    'is refused for %s',
    (_what, events) => {
      const refused = expect.objectContaining({ row: 'inaccessibleChannels' });
      expect(() => subscribe(given(events), bo, { names: ['channel 1'] })).toThrow(refused);
    },
  );

  it('is allowed for a public channel that is archived', () => {
    const archived = given([created(1), { type: 'ChannelArchived', data: { channelId: 1 } }]);
    expect(subscribe(archived, bo, { names: ['channel 1'] }).events).toHaveLength(1);
  });

  it('is refused to an administrator who cannot read the channel', () => {
    const world = given([created(1, { privacy: privatePrivacy })]);
    expect(() => subscribe(world, ada, { names: ['channel 1'] })).toThrow(
      expect.objectContaining({ row: 'inaccessibleChannels' }),
    );
  });

  it('is allowed to whom a private channel lets in', () => {
    const permissions = { can_subscribe_group: { direct_members: [bo.id], direct_subgroups: [] } };
    const world = given([created(1, { privacy: privatePrivacy, permissions })]);
    expect(subscribe(world, bo, { names: ['channel 1'] }).events).toHaveLength(1);
  });

  it('names what was refused, and does the rest, when refusals are not fatal', () => {
    const world = given([created(1, { privacy: privatePrivacy }), created(2)]);
    const request = { names: ['channel 1', 'channel 2'], refusalIsFatal: false };
    const { events, outcome } = subscribe(world, bo, request);
    expect(events).toMatchObject([{ data: { channelId: 2, continuation: [] } }]);
    expect(outcome.unauthorized).toEqual(['channel 1']);
  });

  it('lets subscribers of a private channel add others', () => {
    const world = given([created(1, { privacy: privatePrivacy, subscriberIds: [bo.id] })]);
    expect(subscribe(world, bo, { names: ['channel 1'], userIds: [2] }).events).toHaveLength(1);
  });

  it('lets only channel administrators add others where the organization lets nobody', () => {
    const world = given([created(1), subscribed(1, [3, 4])], {
      can_add_subscribers_group: systemGroupIds.nobody,
    });
    expect(subscribe(world, iago, { names: ['channel 1'], userIds: [2] }).events).toHaveLength(1);
    expect(() => subscribe(world, bo, { names: ['channel 1'], userIds: [2] })).toThrow(
      expect.objectContaining({ row: 'inaccessibleChannels' }),
    );
  });
});

describe('telling people that somebody subscribed them', () => {
  const world = given([created(1)]);

  it.each([
    ['nobody but oneself', { userIds: [3] }, false, true],
    ['others', { userIds: [3, 4] }, true, true],
    ['others, when the request says no', { userIds: [4], notify: false }, false, true],
    [
      'more people than are told',
      { userIds: Array.from({ length: MAX_NOTIFIED + 1 }, (_, at) => at + 10) },
      false,
      false,
    ],
  ])('is decided for %s', (_whom, request, ...[notify, mayNotify]) => {
    const { events, outcome } = subscribe(world, iago, { names: ['channel 1'], ...request });
    expect(events).toMatchObject([{ data: { notify } }]);
    expect(outcome.mayNotify).toBe(mayNotify);
  });
});
