import type { EventOf } from '../../kernel/event.js';
import type { UserEvent, UserRegistered } from '../../events/users.js';
import type { UserGroupEvent } from '../../events/user-groups.js';
import { systemGroupPermissions } from '../../access/group-permission-values.js';
import { roles } from '../../access/records/roles.js';
import { systemGroups } from '../../events/values/organization-defaults.js';
import type { OrganizationEvent } from '../../events/organization.js';
import { defaultOrganizationPermissions } from '../../events/values/organization-permissions.js';
import { defaultOrganizationSettings } from '../../events/values/organization-settings.js';
import { emailGateway, FIRST_OWNER_ID, systemBots, type SystemBot } from '../../access/system-bots.js';

/** The owner of a new organization. */
interface FirstOwner {
  readonly email: string;
  readonly fullName: string;
}

/** The first events of the stream `organization`. */
export function firstOrganization(name: string): readonly OrganizationEvent[] {
  const settings = { ...defaultOrganizationSettings, name };
  return [
    { type: 'OrganizationCreated', data: { name, settings, permissions: defaultOrganizationPermissions } },
  ];
}

/** The first events of the stream `groups`: the system groups. */
export function firstGroups(): readonly UserGroupEvent[] {
  return systemGroups.map(({ id, name, description, subgroup }) => ({
    type: 'UserGroupCreated',
    data: {
      groupId: id,
      name,
      description,
      isSystem: true,
      memberIds: [],
      subgroupIds: subgroup === null ? [] : [subgroup],
      permissions: systemGroupPermissions,
    },
  }));
}

/** The first events of the stream `users`: the server's own bots and the owner. */
export function firstUsers(owner: FirstOwner, digestOf: (email: string) => string): readonly UserEvent[] {
  const botOf = ({ id, email, fullName }: SystemBot): UserEvent =>
    systemBotRegistered(id, { email, fullName, emailDigest: digestOf(email) });
  const person = { email: owner.email, fullName: owner.fullName, emailDigest: digestOf(owner.email) };
  return [
    ...systemBots.map(botOf),
    {
      type: 'UserRegistered',
      data: { userId: FIRST_OWNER_ID, ...person, role: roles.owner, bot: null, awaitsFirstLogin: false },
    },
    botOf(emailGateway),
  ];
}

/** The event that registers an account of the server's own. */
export function systemBotRegistered(
  userId: number,
  identity: { readonly email: string; readonly fullName: string; readonly emailDigest: string },
): EventOf<typeof UserRegistered> {
  const bot = { type: 1, ownerId: null, isSystem: true };
  return {
    type: 'UserRegistered',
    data: { userId, ...identity, role: roles.member, bot, awaitsFirstLogin: false },
  };
}
