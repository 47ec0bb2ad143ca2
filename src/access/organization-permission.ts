import type { OrganizationPermissions } from '../events/values/organization-permissions.js';
import type { User } from './records/user.js';
import { includes } from './membership.js';
import type { Snapshot } from './snapshot.js';

/** Whether a person has a permission of the organization. */
export function holds(snapshot: Snapshot, user: User, permission: keyof OrganizationPermissions): boolean {
  const { organization } = snapshot.directory;
  return organization !== null && includes(snapshot, organization.permissions[permission], user);
}
