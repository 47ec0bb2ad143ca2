import type { OrganizationPermissions } from '../events/values/organization-permissions.js';
import type { User } from './records/user.js';
import { includes } from './membership.js';
import type { Moment } from './moment.js';

/** Whether the organization's permission of that name is the person's. */
export function holds(moment: Moment, user: User, permission: keyof OrganizationPermissions): boolean {
  const { organization } = moment.directory;
  return organization !== null && includes(moment, organization.permissions[permission], user);
}
