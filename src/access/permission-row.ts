import type { ChannelPermissions } from '../events/channels.js';
import type { OrganizationPermissionName } from '../events/values/organization-permissions.js';
import type { UserGroupPermissions } from '../events/user-groups.js';

/**
 * What a permission depends on: a role, or a group setting of the organization, a channel or a user group.
 */
type PermissionBasis =
  | 'administrators'
  | 'owners'
  | `organization ${OrganizationPermissionName}`
  | `channel ${keyof ChannelPermissions}`
  | `group ${keyof UserGroupPermissions}`;

/** One permission of the API. */
export interface PermissionRow {
  /** What it permits, in one phrase. */
  readonly permits: string;
  /** The only function that decides it. */
  readonly decidedBy: (...question: never[]) => boolean;
  readonly basis: readonly PermissionBasis[];
  /** The operations that check it. */
  readonly operations: readonly `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`[];
}
