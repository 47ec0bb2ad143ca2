import { describe, expect, it } from '@jest/globals';
import type { ChannelChanges } from '../../src/contexts/channels/channel-changes.decide.js';
import { decideChannelUpdate } from '../../src/contexts/channels/channel-update.decide.js';
import type { ChannelDirectoryEvent } from '../../src/events/channels.js';
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
  type World,
} from './channels-world.js';

function update(
  world: World,
  caller: User,
  changes: Partial<ChannelChanges> & { readonly channelId?: number; readonly hasOnlyEmptyTopic?: boolean },
): readonly ChannelDirectoryEvent[] {
  const { channelId = 1, hasOnlyEmptyTopic = false, ...rest } = changes;
  const command = { channelId, changes: { permissions: {}, ...rest } };
  return decideChannelUpdate(world.channels, command, {
    snapshot: world.snapshot,
    user: caller,
    hasOnlyEmptyTopic,
  });
}

const refusedAs = (row: string): unknown => expect.objectContaining({ row });

/** Public, created and administered by iago. */
const open = given([created(1), created(2)]);
/** Private, administered by iago, who is subscribed. */
const closed = given([created(1, { privacy: privatePrivacy, subscriberIds: [iago.id] })]);

describe('who may change a channel', () => {
  it.each([
    ['the channel’s administrator', iago],
    ['an administrator of the organization', ada],
    ['an owner', owner],
  ])('%s may', (_who, caller) => {
    expect(update(open, caller, { description: 'new' })).toHaveLength(1);
  });

  it('others who know of it may not', () => {
    expect(() => update(open, bo, { description: 'new' })).toThrow(refusedAs('channelNotAdministered'));
  });

  it('a channel that one may not know of and a missing one answer alike', () => {
    for (const caller of [bo, gil]) {
      expect(() => update(closed, caller, { description: 'new' })).toThrow(refusedAs('invalidChannel'));
    }
    expect(() => update(open, ada, { channelId: 9, description: 'new' })).toThrow(
      refusedAs('invalidChannel'),
    );
  });
});

describe('a channel’s name and description', () => {
  it('change together in one append, each with what was before', () => {
    expect(update(open, iago, { name: ' engines ', description: ' all\nof it ' })).toEqual([
      { type: 'ChannelRenamed', data: { channelId: 1, name: 'engines', previousName: 'channel 1' } },
      {
        type: 'ChannelDescriptionChanged',
        data: { channelId: 1, description: 'all of it', previousDescription: 'For **everything**' },
      },
    ]);
  });

  it('may change in case alone', () => {
    expect(update(open, iago, { name: 'Channel 1' })).toHaveLength(1);
  });

  it.each([
    ['CHANNEL 2', 'channelNameTaken'],
    ['channel 1', 'channelNameUnchanged'],
    [' ', 'channelNameEmpty'],
  ])('refuse the name %j', (name, row) => {
    expect(() => update(open, iago, { name })).toThrow(refusedAs(row));
  });

  it('may take a name that another channel gave up', () => {
    const renamed = { channelId: 2, name: 'other', previousName: 'channel 2' };
    const world = given([created(1), created(2), { type: 'ChannelRenamed', data: renamed }]);
    expect(update(world, iago, { name: 'channel 2' })).toHaveLength(1);
  });

  it('refuse a description beyond 1024 code points', () => {
    expect(update(open, iago, { description: '𝒙'.repeat(1024) })).toHaveLength(1);
    expect(() => update(open, iago, { description: 'x'.repeat(1025) })).toThrow(
      refusedAs('channelDescriptionTooLong'),
    );
  });

  it('cause no event if they stay the same', () => {
    expect(update(open, iago, { description: 'For **everything**' })).toEqual([]);
  });
});

describe('who can see a channel', () => {
  it('is decided with the past protected unless said otherwise', () => {
    expect(update(open, iago, { isPrivate: true })).toEqual([
      {
        type: 'ChannelPrivacyChanged',
        data: { channelId: 1, privacy: privatePrivacy, previousPrivacy: openPrivacy },
      },
    ]);
    expect(update(open, iago, { isPrivate: true, historyPublicToSubscribers: true })).toMatchObject([
      { data: { privacy: { inviteOnly: true, historyPublicToSubscribers: true } } },
    ]);
  });

  it('opens the past with the channel', () => {
    expect(update(closed, iago, { isPrivate: false })).toMatchObject([{ data: { privacy: openPrivacy } }]);
    expect(update(closed, iago, { historyPublicToSubscribers: true })).toMatchObject([
      { data: { privacy: { inviteOnly: true, historyPublicToSubscribers: true } } },
    ]);
  });

  it('opens to the web at once, by whom the organization lets', () => {
    const world = given([created(1, { privacy: privatePrivacy, subscriberIds: [1, 3] })]);
    expect(update(world, owner, { isWebPublic: true })).toMatchObject([
      { data: { privacy: { inviteOnly: false, isWebPublic: true, historyPublicToSubscribers: true } } },
    ]);
    expect(() => update(world, iago, { isWebPublic: true })).toThrow(refusedAs('insufficientPermission'));
  });

  it('stays hidden where messages are reported', () => {
    const events = [created(1, { privacy: privatePrivacy, subscriberIds: [1, 3] })];
    const world = given(events, {}, { moderation_request_channel_id: 1 });
    for (const changes of [{ isPrivate: false }, { isWebPublic: true }]) {
      expect(() => update(world, owner, changes)).toThrow(refusedAs('moderationChannelPublic'));
    }
    expect(update(world, owner, { historyPublicToSubscribers: true })).toHaveLength(1);
  });

  it('is not for those to open who cannot read it', () => {
    expect(() => update(closed, ada, { isPrivate: false })).toThrow(
      refusedAs('channelContentAccessRequired'),
    );
    const opening = { permissions: { can_subscribe_group: { new: systemGroupIds.members } } };
    expect(() => update(closed, ada, opening)).toThrow(refusedAs('channelContentAccessRequired'));
    expect(update(closed, iago, opening)).toHaveLength(1);
  });

  it('takes the right to create such a channel', () => {
    const world = given([created(1)], { can_create_private_channel_group: systemGroupIds.nobody });
    expect(() => update(world, iago, { isPrivate: true })).toThrow(refusedAs('insufficientPermission'));
  });

  it.each([
    [{ isPrivate: true, isWebPublic: true }, 'channelPrivacyInconsistent'],
    [{ historyPublicToSubscribers: false }, 'publicChannelHistoryProtected'],
  ])('is never %j', (changes, row) => {
    expect(() => update(open, owner, changes)).toThrow(refusedAs(row));
  });

  it('is never with a protected past and topics that only some may start', () => {
    const some = { can_create_topic_group: systemGroupIds.moderators };
    const everyone = { can_create_topic_group: systemGroupIds.everyone };
    const refused = refusedAs('unsupportedParameterCombination');
    const restricted = given([created(1, { permissions: some })]);
    expect(() => update(restricted, iago, { isPrivate: true })).toThrow(refused);
    expect(
      update(restricted, iago, {
        isPrivate: true,
        permissions: { can_create_topic_group: { new: everyone.can_create_topic_group } },
      }),
    ).toHaveLength(2);
    expect(update(restricted, iago, { isPrivate: true, historyPublicToSubscribers: true })).toHaveLength(1);

    const permissions = { can_create_topic_group: { new: some.can_create_topic_group } };
    expect(() => update(closed, iago, { permissions })).toThrow(refused);
    expect(update(closed, iago, { permissions, historyPublicToSubscribers: true })).toHaveLength(2);
    expect(() => update(open, iago, { permissions, isPrivate: true })).toThrow(refused);
  });

  it('is everyone, for a default channel', () => {
    const world = given([created(1, { isDefault: true })]);
    expect(() => update(world, owner, { isPrivate: true })).toThrow(refusedAs('defaultChannelPrivate'));
    expect(update(world, owner, { isPrivate: true, isDefault: false })).toHaveLength(2);
    expect(() => update(open, owner, { isPrivate: true, isDefault: true })).toThrow(
      refusedAs('defaultChannelPrivate'),
    );
  });
});

describe('the permissions of a channel', () => {
  it('are recorded with their previous values', () => {
    const permissions = { can_send_message_group: { new: systemGroupIds.moderators, old: 2 } };
    expect(update(open, iago, { permissions })).toEqual([
      {
        type: 'ChannelPermissionsChanged',
        data: {
          channelId: 1,
          permissions: { can_send_message_group: 5 },
          previousPermissions: { can_send_message_group: 2 },
        },
      },
    ]);
  });

  it('are not given on a stale belief', () => {
    const permissions = { can_send_message_group: { new: 5, old: 3 } };
    expect(() => update(open, iago, { permissions })).toThrow(
      expect.objectContaining({ code: 'EXPECTATION_MISMATCH', fields: { field_name: 'old' } }),
    );
  });

  it('are compared without regard to the order and repetition of members', () => {
    const list = (...direct_members: number[]): { direct_members: number[]; direct_subgroups: number[] } => ({
      direct_members,
      direct_subgroups: [],
    });
    const world = given([created(1, { permissions: { can_send_message_group: list(3, 4) } })]);
    const permissions = { can_send_message_group: { new: list(4, 3, 3), old: list(4, 4, 3) } };
    expect(update(world, iago, { permissions })).toEqual([]);
  });

  it('keep people whose accounts are deactivated unseen, and are said with them or without', () => {
    const list = (...direct_members: number[]): { direct_members: number[]; direct_subgroups: number[] } => ({
      direct_members,
      direct_subgroups: [],
    });
    const before = list(gone.id, bo.id);
    const world = given([created(1, { permissions: { can_administer_channel_group: before } })]);
    const after = (old: object, to: object): unknown =>
      update(world, ada, {
        permissions: { can_administer_channel_group: { old, new: to } } as ChannelChanges['permissions'],
      }).map((event) => (event.data as { permissions?: object }).permissions);
    expect(after(list(bo.id), list(bo.id, iago.id))).toEqual([
      { can_administer_channel_group: list(iago.id, bo.id) },
    ]);
    expect(after(before, list(gone.id, iago.id))).toEqual([
      { can_administer_channel_group: list(iago.id, gone.id) },
    ]);
    expect(after(before, list(bo.id))).toEqual([]);
    expect(() => after(list(), list(bo.id))).toThrow(refusedAs('expectationMismatch'));
    const permissions = { can_subscribe_group: { new: list(gone.id) } };
    expect(() => update(world, ada, { permissions })).toThrow(refusedAs('invalidGroupSetting'));
  });

  it('are kept as one group when they name nothing else', () => {
    const only = { direct_members: [], direct_subgroups: [systemGroupIds.members] };
    expect(update(open, iago, { permissions: { can_send_message_group: { new: only } } })).toMatchObject([
      { data: { permissions: { can_send_message_group: systemGroupIds.members } } },
    ]);
  });

  it('to delete are for those whom the organization lets say so', () => {
    const permissions = { can_delete_own_message_group: { new: systemGroupIds.members } };
    expect(() => update(open, iago, { permissions })).toThrow(refusedAs('insufficientPermission'));
    expect(update(open, ada, { permissions })).toHaveLength(1);
  });
});

describe('the other settings of a channel', () => {
  it('are recorded in one event with their previous values', () => {
    expect(
      update(open, owner, { messageRetentionDays: 30, isDefault: true, topicsPolicy: 'inherit' }),
    ).toEqual([
      {
        type: 'ChannelPropertiesChanged',
        data: {
          channelId: 1,
          properties: { messageRetentionDays: 30, isDefault: true },
          previousProperties: { messageRetentionDays: null, isDefault: false },
        },
      },
    ]);
  });

  it.each([
    ['retention', { caller: ada, messageRetentionDays: 30 }, 'ownerRequired'],
    ['default channels', { caller: iago, isDefault: true }, 'insufficientPermission'],
    ['folders, of which there are none', { caller: owner, folderId: 1 }, 'invalidChannelFolder'],
    [
      'the empty topic alone, while others hold messages',
      { caller: iago, topicsPolicy: 'empty_topic_only' },
      'channelHoldsTopics',
    ],
  ] as const)('refuse %s', (_what, { caller, ...changes }, row) => {
    expect(() => update(open, caller, changes)).toThrow(refusedAs(row));
  });

  it('allow the empty topic alone where nothing else was ever said', () => {
    const changes = { topicsPolicy: 'empty_topic_only', hasOnlyEmptyTopic: true } as const;
    expect(update(open, iago, changes)).toHaveLength(1);
  });

  it('take the organization’s permission for the topics policy, unless it is the organization’s own', () => {
    const world = given([created(1, { topicsPolicy: 'allow_empty_topic' })], {
      can_set_topics_policy_group: systemGroupIds.moderators,
    });
    expect(update(world, iago, { topicsPolicy: 'inherit' })).toHaveLength(1);
    expect(() => update(world, iago, { topicsPolicy: 'disable_empty_topic' })).toThrow(
      refusedAs('insufficientPermission'),
    );
  });
});

describe('archiving', () => {
  const archived = given([created(1), { type: 'ChannelArchived', data: { channelId: 1 } }]);

  it('happens once', () => {
    expect(update(open, iago, { isArchived: true })).toEqual([
      { type: 'ChannelArchived', data: { channelId: 1 } },
    ]);
    expect(update(archived, iago, { isArchived: true })).toEqual([]);
  });

  it('is undone by its administrators', () => {
    expect(update(archived, iago, { isArchived: false })).toEqual([
      { type: 'ChannelUnarchived', data: { channelId: 1 } },
    ]);
    expect(() => update(archived, bo, { isArchived: false })).toThrow(refusedAs('channelNotAdministered'));
  });

  it('ends that new people are subscribed to it, for good', () => {
    const events: ChannelDirectoryEvent[] = [
      created(1, { isDefault: true }),
      { type: 'ChannelArchived', data: { channelId: 1 } },
    ];
    expect(given(events).channel(1).isDefault).toBe(false);
    events.push({ type: 'ChannelUnarchived', data: { channelId: 1 } });
    expect(given(events).channel(1).isDefault).toBe(false);
  });

  it('leaves no channel that new people could be subscribed to', () => {
    expect(() => update(archived, ada, { isDefault: true })).toThrow(refusedAs('invalidChannel'));
    expect(() => update(open, ada, { isDefault: true, isArchived: true })).toThrow(
      refusedAs('invalidChannel'),
    );
    const again = update(archived, ada, { isDefault: true, isArchived: false });
    expect(again.map(({ type }) => type)).toEqual(['ChannelUnarchived', 'ChannelPropertiesChanged']);
  });

  it('keeps the name', () => {
    const world = given([created(1), { type: 'ChannelArchived', data: { channelId: 1 } }, created(2)]);
    const rename = { channelId: 2, name: 'channel 1' };
    expect(() => update(world, iago, rename)).toThrow(refusedAs('channelNameTaken'));
  });
});
