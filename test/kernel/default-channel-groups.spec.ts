import { expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import {
  type ChannelGroupChanges,
  decideChangeChannelGroup,
  decideCreateChannelGroup,
} from '../../src/contexts/organization/channel-groups.decide.js';
import type { OrganizationEvent } from '../../src/events/organization.js';
import {
  organizationFold,
  ORGANIZATION_STREAM,
  type Organization,
} from '../../src/access/records/organization.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';
import { created, given, openPrivacy, owner, privatePrivacy } from './channels-world.js';

it('Channels that became private or archived can be removed from a group, and no other channels', () => {
  const { snapshot } = given([
    created(1, { name: 'engines' }),
    created(2, { name: 'looms' }),
    created(3, { name: 'wool' }),
    { type: 'ChannelArchived', data: { channelId: 1 } },
    {
      type: 'ChannelPrivacyChanged',
      data: { channelId: 2, privacy: privatePrivacy, previousPrivacy: openPrivacy },
    },
  ]);
  const world = new TestOrganization();
  const organization = world.log.fold<Organization | null, OrganizationEvent>(
    organizationFold,
    ORGANIZATION_STREAM,
  )!;
  const channelGroups = [{ groupId: 1, name: 'crafts', description: '', channelIds: [1, 2] }];
  const removing = (...remove: string[]) =>
    decideChangeChannelGroup({ ...organization, channelGroups }, 1, {
      changes: { remove },
      actor: { user: owner, snapshot },
    });
  expect(removing('engines', 'Looms')).toMatchObject([{ data: { channelIds: [] } }]);
  expect(refusal(() => removing('wool'))).toBe('channelNotInGroup');
  expect(refusal(() => removing('silk'))).toBe('invalidChannelName');
});

it('Default channel groups have a maximum number', () => {
  const world = new TestOrganization();
  const actor = world.user(world.register({ role: 100 }));
  const present = world.log.fold<Organization | null, OrganizationEvent>(
    organizationFold,
    ORGANIZATION_STREAM,
  )!;
  const create = (count: number) => (): readonly OrganizationEvent[] => {
    const channelGroups = Array.from({ length: count }, (_, index) => ({
      groupId: index + 1,
      name: `group ${index}`,
      description: '',
      channelIds: [],
    }));
    const by = { user: actor, snapshot: world.snapshot(), nextRevision: count + 1 };
    const group = { name: 'one more', description: '', add: [] };
    return decideCreateChannelGroup({ ...present, channelGroups }, group, by);
  };
  const { max } = budgets.defaultChannelGroups;
  expect(create(max - 1)()).toHaveLength(1);
  expect(refusal(create(max))).toBe('tooManyChannelGroups');
});

it('The channels of a default channel group have a maximum number', () => {
  const { max } = budgets.channelsOfGroup;
  const names = Array.from({ length: max + 2 }, (_, index) => `channel ${index}`);
  const { snapshot } = given(names.map((name, index) => created(index + 1, { name })));
  const present = new TestOrganization().log.fold<Organization | null, OrganizationEvent>(
    organizationFold,
    ORGANIZATION_STREAM,
  )!;
  const actor = { user: owner, snapshot };
  const create = (count: number) => (): readonly OrganizationEvent[] => {
    const group = { name: 'crafts', description: '', add: names.slice(0, count) };
    return decideCreateChannelGroup(present, group, { ...actor, nextRevision: 1 });
  };
  expect(create(max)()).toHaveLength(1);
  expect(refusal(create(max + 1))).toBe('tooManyChannelsInGroup');
  const change = (count: number, changes: ChannelGroupChanges) => (): readonly OrganizationEvent[] => {
    const channelIds = names.slice(0, count).map((_, index) => index + 1);
    const channelGroups = [{ groupId: 1, name: 'crafts', description: '', channelIds }];
    return decideChangeChannelGroup({ ...present, channelGroups }, 1, { changes, actor });
  };
  expect(change(max - 1, { add: names.slice(max) })).toThrow('The group has too many channels.');
  expect(change(max - 1, { add: names.slice(max + 1) })()).toHaveLength(1);
  // Stored before the maximum existed.
  expect(change(max + 2, { remove: names.slice(0, 1) })()).toHaveLength(1);
});
