import type { Actor } from '../../src/access/actor.js';
import { Directory } from '../../src/access/directory.js';
import { isDirectoryEvent } from '../../src/access/directory-event-types.js';
import type { Snapshot } from '../../src/access/snapshot.js';
import { firstGroups } from '../../src/contexts/organization/first-events.decide.js';
import type { OrganizationPermissions } from '../../src/events/values/organization-permissions.js';
import type { OrganizationSettings } from '../../src/events/values/organization-settings.js';
import type { Role, UserEvent } from '../../src/events/users.js';
import type { UserGroupEvent } from '../../src/events/user-groups.js';
import {
  groupDirectoryFold,
  GROUPS_STREAM,
  type GroupDirectory,
} from '../../src/contexts/users/user-groups.state.js';
import { systemGroupPermissions } from '../../src/access/group-permission-values.js';
import { userDirectoryFold, USERS_STREAM, type UserDirectory } from '../../src/contexts/users/users.state.js';
import type { User } from '../../src/access/records/user.js';
import type { UserGroup } from '../../src/access/records/user-group.js';
import { atTheTime, TestLog } from './given.js';

interface Registration {
  readonly role: Role;
  readonly fullName: string;
  readonly bot: { readonly type: number; readonly ownerId: number | null; readonly isSystem: boolean } | null;
  readonly awaitsFirstLogin: boolean;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
}

/** An organization in memory, made of events, for tests of decisions. */
export class TestOrganization {
  readonly log = new TestLog();

  constructor(
    settings: Partial<OrganizationSettings> = {},
    permissions: Partial<OrganizationPermissions> = {},
  ) {
    this.log.append('organization', [
      {
        type: 'OrganizationCreated',
        data: {
          name: 'Analytical Engines',
          settings,
          permissions,
        },
      },
    ]);
    this.log.append(GROUPS_STREAM, firstGroups());
  }

  /** Registers an account, by default a member, and returns its id. */
  register(registration: Partial<Registration> = {}): number {
    const { at = atTheTime, ...given } = registration;
    const userId = this.users.nextRevision + 1;
    const data = {
      userId,
      email: `person${userId}@example.com`,
      emailDigest: `digest of person${userId}@example.com`,
      fullName: `Person ${userId}`,
      role: 400,
      bot: null,
      awaitsFirstLogin: false,
      ...given,
    } as const;
    this.log.append<UserEvent>(USERS_STREAM, [{ type: 'UserRegistered', data }], { at });
    return userId;
  }

  /** Appends decided events about accounts. */
  happened(...events: readonly UserEvent[]): this {
    this.log.append(USERS_STREAM, events);
    return this;
  }

  /** Creates a user group and returns its id. */
  group(
    memberIds: readonly number[],
    subgroupIds: readonly number[] = [],
    permissions: Partial<UserGroup['permissions']> = {},
  ): number {
    const groupId = this.groups.nextRevision + 1;
    const name = `group ${groupId}`;
    const data = {
      groupId,
      name,
      description: '',
      isSystem: false,
      memberIds: [...memberIds],
      subgroupIds: [...subgroupIds],
      permissions: { ...systemGroupPermissions, ...permissions },
    };
    this.log.append<UserGroupEvent>(GROUPS_STREAM, [{ type: 'UserGroupCreated', data }]);
    return groupId;
  }

  get users(): UserDirectory {
    return this.log.fold(userDirectoryFold, USERS_STREAM);
  }

  get groups(): GroupDirectory {
    return this.log.fold(groupDirectoryFold, GROUPS_STREAM);
  }

  user(id: number): User {
    const user = this.users.users.get(id);
    if (user === undefined) throw new Error(`There is no user ${id}`);
    return user;
  }

  /** An account as the actor of a command. */
  actor(id: number): Actor {
    return { user: this.user(id), snapshot: this.snapshot() };
  }

  userGroup(id: number): UserGroup {
    const group = this.groups.groups.get(id);
    if (group === undefined) throw new Error(`There is no group ${id}`);
    return group;
  }

  /** The snapshot at a time, by default just after the events. */
  snapshot(now: number = atTheTime): Snapshot {
    const directory = new Directory();
    for (const event of this.log.events) {
      if (isDirectoryEvent(event)) directory.apply(event);
    }
    return { directory, now };
  }
}
