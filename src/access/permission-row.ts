import type { ChannelPermissions } from '../events/channels.js';
import type { OrganizationPermissionName } from '../events/values/organization-permissions.js';
import type { UserGroupPermissions } from '../events/user-groups.js';

/** What a permission hangs on: a role, or a group-setting value of the organization, a channel or a user group. */
export type PermissionBasis =
  | 'administrators'
  | 'owners'
  | `organization ${OrganizationPermissionName}`
  | `channel ${keyof ChannelPermissions}`
  | `group ${keyof UserGroupPermissions}`;

/** One permission of the API. */
export interface PermissionRow {
  /** In one phrase. */
  readonly permits: string;
  /** The one place that decides it. */
  readonly decidedBy: (...question: never[]) => boolean;
  readonly basis: readonly PermissionBasis[];
  /** The operations that ask it. */
  readonly operations: readonly `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`[];
}
