import { expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { decideCreateChannelGroup } from '../../src/contexts/organization/channel-groups.decide.js';
import type { OrganizationEvent } from '../../src/events/organization.js';
import {
  organizationFold,
  ORGANIZATION_STREAM,
  type Organization,
} from '../../src/access/records/organization.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

it('So many groups of channels for new people are kept, and no more', () => {
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
