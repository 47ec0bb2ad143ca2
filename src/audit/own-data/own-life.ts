import { accountLinkEvents } from '../../events/account-links.js';
import { deviceEvents } from '../../events/devices.js';
import { securityEvents } from '../../events/security.js';
import { UserSettingAssigned } from '../../events/settings.js';
import { UserStatusChanged } from '../../events/statuses.js';
import { userEvents } from '../../events/users.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { LogSelection } from '../log-selection.js';

const types = [
  ...userEvents,
  ...accountLinkEvents,
  ...deviceEvents,
  ...securityEvents,
  UserSettingAssigned,
  UserStatusChanged,
].map(({ type }) => type);

/**
 * Selects what happened to a person's account, for that person: what auditors see of an account, without events about
 * channels, groups and cases.
 */
export function ownLife(userId: number): LogSelection {
  const passes = ({ data }: RecordedEvent): boolean =>
    (data as { readonly userId?: unknown } | null)?.userId === userId;
  return { aboutId: userId, types, passes };
}
