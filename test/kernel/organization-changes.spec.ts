import { describe, expect, it } from '@jest/globals';
import { OrganizationCreated, type OrganizationEvent } from '../../src/events/organization.js';
import {
  decideOrganizationChanges,
  type OrganizationChanges,
} from '../../src/contexts/organization/organization.decide.js';
import {
  organizationFold,
  ORGANIZATION_STREAM,
  type Organization,
} from '../../src/access/records/organization.js';
import {
  defaultOrganizationPermissions,
  organizationPermissionNames,
  organizationPermissionTable,
} from '../../src/events/values/organization-permissions.js';
import {
  defaultOrganizationSettings,
  organizationSettingNames,
  organizationSettingTable,
} from '../../src/events/values/organization-settings.js';
import { organizationState } from '../../src/contexts/organization/organization-members.js';
import type { Role } from '../../src/events/users.js';
import { systemGroupIds } from '../../src/events/values/organization-defaults.js';
import { createChannel } from '../support/channels.js';
import { refusal, TestLog } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

/** The organization's state, folded from its stream. */
function present(world: TestOrganization): Organization {
  const organization = world.log.fold<Organization | null, OrganizationEvent>(
    organizationFold,
    ORGANIZATION_STREAM,
  );
  return organization!;
}

function change(
  world: TestOrganization,
  actorId: number,
  { settings = {}, permissions = {} }: Partial<OrganizationChanges>,
): readonly OrganizationEvent[] {
  const by = { user: world.user(actorId), snapshot: world.snapshot() };
  return decideOrganizationChanges(present(world), { settings, permissions }, by);
}

function withRole(role: Role): { readonly world: TestOrganization; readonly id: number } {
  const world = new TestOrganization();
  return { world, id: world.register({ role }) };
}

const otherChoices: Readonly<Record<string, string>> = {
  topics_policy: 'disable_empty_topic',
  default_language: 'fr',
  message_edit_history_visibility_policy: 'moves',
  message_erasure_policy: 'erase',
};

/** Values for number settings that do not accept 0. */
const otherNumbers: Readonly<Record<string, number>> = { org_type: 10, media_preview_size: 150 };

const privately = { inviteOnly: true, historyPublicToSubscribers: true, isWebPublic: false };

/** A valid value of the setting other than the default. */
function another(name: (typeof organizationSettingNames)[number]): unknown {
  const { initial, kind } = organizationSettingTable[name];
  switch (kind) {
    case 'flag':
      return !initial;
    case 'text':
      return 'another';
    case 'address':
      return 'https://meet.example.com';
    case 'choice':
      return otherChoices[name as string];
    case 'channel':
    case 'retention':
    case 'limit':
      return 1;
    case 'number':
      return otherNumbers[name as string] ?? 0;
  }
}

/** Settings that clients know by another name. */
const knownAs: Readonly<Record<string, string>> = { giphy_rating: 'realm_gif_rating_policy' };

describe('every setting of the organization', () => {
  it.each(organizationSettingNames)('%s is changed by those who may, once', (name) => {
    const { world, id } = withRole(100);
    createChannel(world, [], { privacy: privately });
    const value = name === 'waiting_period_threshold' ? 3 : another(name);
    const events = change(world, id, { settings: { [name]: value } });
    const previous = present(world).settings[name];
    expect(events).toEqual([
      {
        type: 'OrganizationSettingsChanged',
        data: { settings: { [name]: value }, previousSettings: { [name]: previous } },
      },
    ]);
    world.log.append(ORGANIZATION_STREAM, events);
    expect(present(world).settings[name]).toBe(value);
    expect(world.snapshot().directory.organization?.settings[name]).toBe(value);
    const shown = knownAs[name as string] ?? `realm_${name}`;
    expect(organizationState(present(world), world.snapshot().directory)[shown]).toBe(value);
    expect(change(world, id, { settings: { [name]: value } })).toEqual([]);
  });

  it.each(organizationSettingNames)('%s is not for those who may not', (name) => {
    const settings = { [name]: another(name) };
    for (const role of [300, 400, 600] as const) {
      const { world, id } = withRole(role);
      expect(refusal(() => change(world, id, { settings }))).toBe('administratorRequired');
    }
    const { world, id } = withRole(200);
    createChannel(world, [], { privacy: privately });
    const expected = organizationSettingTable[name].changedBy === 'owners' ? 'ownerRequired' : null;
    const value = name === 'waiting_period_threshold' ? 3 : another(name);
    expect(refusal(() => change(world, id, { settings: { [name]: value } }))).toBe(expected);
  });

  it.each([
    ['invalidSetting', { name: '  ' }],
    ...['\r', '\n', '\u2028', '\u2029', '\u0085', '\u0007'].map(
      (character) => ['settingNotOnOneLine', { name: `Analytical${character}Engines` }] as const,
    ),
    ['invalidSetting', { name: 'x'.repeat(41) }],
    ['invalidSetting', { description: 'x'.repeat(1001) }],
    ['invalidSetting', { message_content_edit_limit_seconds: 0 }],
    ['invalidSetting', { message_content_edit_limit_seconds: -1 }],
    ['invalidSetting', { message_content_delete_limit_seconds: 'forever' }],
    ['invalidSetting', { message_retention_days: 0 }],
    ['invalidSetting', { message_retention_days: null }],
    ['invalidSetting', { topics_policy: 'empty_topic_only' }],
    ['invalidSetting', { message_edit_history_visibility_policy: 'some' }],
    ['invalidSetting', { waiting_period_threshold: -1 }],
    ['invalidSetting', { digest_weekday: 7 }],
    ['invalidSetting', { org_type: 1 }],
    ['invalidSetting', { default_language: 'xx' }],
    ...[
      '',
      'meet.example.com',
      'javascript:alert(1)',
      'https://me:word@meet.example.com',
      `https://meet.example.com/${'x'.repeat(180)}`,
      5,
    ].map((address) => ['invalidSetting', { jitsi_server_url: address }] as const),
    ['invalidChannel', { new_stream_announcements_stream_id: 99 }],
  ])('is refused as %s: %j', (row, settings) => {
    const { world, id } = withRole(100);
    expect(refusal(() => change(world, id, { settings }))).toBe(row);
  });

  it('has messages reported in a private channel alone', () => {
    const { world, id } = withRole(100);
    const open = createChannel(world, []);
    const hidden = createChannel(world, [], { privacy: privately });
    const attempt = (moderation_request_channel_id: number): string | null =>
      refusal(() => change(world, id, { settings: { moderation_request_channel_id } }));
    expect([attempt(open), attempt(hidden), attempt(-1)]).toEqual(['moderationChannelPublic', null, null]);
  });

  it('says without limit with a word', () => {
    const { world, id } = withRole(100);
    world.log.append(ORGANIZATION_STREAM, change(world, id, { settings: { message_retention_days: 30 } }));
    const settings = { message_content_edit_limit_seconds: 'unlimited', message_retention_days: 'unlimited' };
    expect(change(world, id, { settings })).toMatchObject([
      { data: { settings: { message_content_edit_limit_seconds: null, message_retention_days: -1 } } },
    ]);
  });

  it('says with a word that an address is the default', () => {
    const { world, id } = withRole(100);
    const calls = (): object => {
      const state = organizationState(present(world), world.snapshot().directory);
      return [state['realm_jitsi_server_url'], state['jitsi_server_url']];
    };
    const set = (address: string): void => {
      world.log.append(ORGANIZATION_STREAM, change(world, id, { settings: { jitsi_server_url: address } }));
    };
    expect(calls()).toEqual([null, 'https://meet.jit.si']);
    set(' https://meet.example.com ');
    expect(calls()).toEqual(['https://meet.example.com', 'https://meet.example.com']);
    set('default');
    expect(calls()).toEqual([null, 'https://meet.jit.si']);
  });

  it('changes together with the others or not at all', () => {
    const { world, id } = withRole(200);
    const settings = { name: 'Difference Engines', invite_required: false };
    expect(refusal(() => change(world, id, { settings }))).toBe('ownerRequired');
  });

  it('began with its default in a log that was written before there was such a setting', () => {
    const older = {
      name: 'Analytical Engines',
      settings: { allow_message_editing: false, message_content_edit_limit_seconds: null },
      permissions: { can_create_groups: 5 },
    };
    const { upcasts, schema } = OrganizationCreated;
    const world = new TestOrganization();
    const log = new TestLog();
    log.append(ORGANIZATION_STREAM, [
      { type: 'OrganizationCreated', data: schema.parse(upcasts[1]!(older)) },
    ]);
    const organization = log.fold<Organization | null, OrganizationEvent>(
      organizationFold,
      ORGANIZATION_STREAM,
    );
    expect(organization?.settings).toEqual({
      ...defaultOrganizationSettings,
      ...older.settings,
      name: 'Analytical Engines',
    });
    expect(organization?.permissions).toEqual({ ...defaultOrganizationPermissions, can_create_groups: 5 });
    expect(present(world).permissions).toEqual(defaultOrganizationPermissions);
  });
});

describe('every permission of the organization', () => {
  const people = { direct_members: [2], direct_subgroups: [5] };

  /** Permissions that can be given to more than one group. */
  const given = organizationPermissionNames.filter((name) => {
    const { onlySystemGroups } = organizationPermissionTable[name];
    return onlySystemGroups === null || onlySystemGroups.length > 1;
  });

  it.each(given)('%s is given to others by those who may, once', (name) => {
    const { world, id } = withRole(100);
    world.register();
    const { onlySystemGroups, initial } = organizationPermissionTable[name];
    const value = onlySystemGroups === null ? people : onlySystemGroups.find((group) => group !== initial)!;
    const events = change(world, id, { permissions: { [name]: { new: value, old: initial } } });
    expect(events).toEqual([
      {
        type: 'OrganizationPermissionsChanged',
        data: { permissions: { [name]: value }, previousPermissions: { [name]: initial } },
      },
    ]);
    world.log.append(ORGANIZATION_STREAM, events);
    expect(world.snapshot().directory.organization?.permissions[name]).toEqual(value);
    expect(organizationState(present(world), world.snapshot().directory)[`realm_${name}`]).toEqual(value);
    expect(change(world, id, { permissions: { [name]: { new: value } } })).toEqual([]);
  });

  it.each(organizationPermissionNames)('%s is not for those who may not give it', (name) => {
    const { onlySystemGroups, changedBy } = organizationPermissionTable[name];
    const permissions = { [name]: { new: onlySystemGroups?.[0] ?? 6 } };
    const { world, id } = withRole(300);
    expect(refusal(() => change(world, id, { permissions }))).toBe('administratorRequired');
    const administrator = world.register({ role: 200 });
    const expected = changedBy === 'owners' ? 'ownerRequired' : null;
    expect(refusal(() => change(world, administrator, { permissions }))).toBe(expected);
  });

  it.each(organizationPermissionNames)('%s is only given to groups that may have it', (name) => {
    const { world, id } = withRole(100);
    const custom = world.group([id]);
    const { allowsEveryone, allowsNobody, onlySystemGroups } = organizationPermissionTable[name];
    const refusalOf = (value: number): string | null =>
      refusal(() => change(world, id, { permissions: { [name]: { new: value } } }));
    expect(refusalOf(1)).toBe('groupNotAllowed');
    expect(refusalOf(2)).toBe(allowsEveryone ? null : 'groupNotAllowed');
    expect(refusalOf(8)).toBe(allowsNobody ? null : 'groupNotAllowed');
    expect(refusalOf(custom)).toBe(onlySystemGroups === null ? null : 'systemGroupRequired');
    expect(refusalOf(99)).toBe('invalidGroupSetting');
  });

  it('is not changed by a client that believes in another value', () => {
    const { world, id } = withRole(100);
    const permissions = { can_create_groups: { new: 6, old: 2 } };
    expect(refusal(() => change(world, id, { permissions }))).toBe('expectationMismatch');
  });

  it('is the same whichever way one group is written', () => {
    const { world, id } = withRole(100);
    const same = { direct_members: [], direct_subgroups: [3] };
    expect(change(world, id, { permissions: { can_create_groups: { new: same, old: same } } })).toEqual([]);
  });
});

describe('the initial state of a client', () => {
  it('says in older words what newer ones replaced', () => {
    const { world, id } = withRole(100);
    expect(organizationState(present(world), world.snapshot().directory)).toMatchObject({
      realm_allow_edit_history: true,
      realm_mandatory_topics: false,
      realm_wildcard_mention_policy: 5,
    });
    const settings = { topics_policy: 'disable_empty_topic', message_edit_history_visibility_policy: 'none' };
    const permissions = { can_mention_many_users_group: { new: 5 } };
    world.log.append(ORGANIZATION_STREAM, change(world, id, { settings, permissions }));
    expect(organizationState(present(world), world.snapshot().directory)).toMatchObject({
      realm_allow_edit_history: false,
      realm_mandatory_topics: true,
      realm_wildcard_mention_policy: 7,
    });
  });

  it('says who may create channels and bots, and subscribe others, as clients knew it before groups', () => {
    const { world, id } = withRole(100);
    const policies = (): object => {
      const all = Object.entries(organizationState(present(world), world.snapshot().directory));
      const names = /^realm_(create_\w+_stream|invite_to_stream|bot_creation)_policy$/;
      return Object.fromEntries(all.filter(([name]) => names.test(name)));
    };
    expect(policies()).toEqual({
      realm_create_public_stream_policy: 1,
      realm_create_private_stream_policy: 1,
      realm_create_web_public_stream_policy: 7,
      realm_invite_to_stream_policy: 1,
      realm_bot_creation_policy: 1,
    });
    const permissions = {
      can_create_public_channel_group: { new: systemGroupIds.moderators },
      can_create_private_channel_group: { new: systemGroupIds.fullMembers },
      can_create_web_public_channel_group: { new: systemGroupIds.nobody },
      // No older policy says so.
      can_add_subscribers_group: { new: systemGroupIds.owners },
      can_create_bots_group: { new: systemGroupIds.administrators },
    };
    world.log.append(ORGANIZATION_STREAM, change(world, id, { settings: {}, permissions }));
    expect(policies()).toEqual({
      realm_create_public_stream_policy: 4,
      realm_create_private_stream_policy: 3,
      realm_create_web_public_stream_policy: 6,
      realm_invite_to_stream_policy: 2,
      realm_bot_creation_policy: 2,
    });
  });

  it('names a larger group for one that these words cannot express', () => {
    const { world, id } = withRole(100);
    const custom = world.group([id]);
    const person = { direct_members: [id], direct_subgroups: [] };
    const older = (permissions: OrganizationChanges['permissions']): object => {
      world.log.append(ORGANIZATION_STREAM, change(world, id, { settings: {}, permissions }));
      return organizationState(present(world), world.snapshot().directory);
    };
    const givenToPeople = {
      can_create_public_channel_group: { new: custom },
      can_create_private_channel_group: { new: person },
      can_add_subscribers_group: { new: custom },
      can_create_bots_group: { new: custom },
      can_create_write_only_bots_group: { new: systemGroupIds.administrators },
    };
    expect(older(givenToPeople)).toMatchObject({
      realm_create_public_stream_policy: 1,
      realm_create_private_stream_policy: 1,
      realm_invite_to_stream_policy: 1,
      realm_bot_creation_policy: 1,
    });
    const few = {
      can_create_public_channel_group: { new: systemGroupIds.owners },
      can_create_bots_group: { new: systemGroupIds.fullMembers },
    };
    expect(older(few)).toMatchObject({ realm_create_public_stream_policy: 2, realm_bot_creation_policy: 1 });
    const noBots = { can_create_bots_group: { new: systemGroupIds.nobody } };
    expect(older(noBots)).toMatchObject({ realm_bot_creation_policy: 3 });
    const incomingWebhooks = { can_create_write_only_bots_group: { new: person } };
    expect(older(incomingWebhooks)).toMatchObject({ realm_bot_creation_policy: 2 });
  });
});
