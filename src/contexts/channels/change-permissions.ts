import { changedPermissions } from '../../access/permission-value.js';
import { hasContentAccess } from '../../access/permissions.js';
import { failure } from '../../kernel/errors.js';
import type { DecideChange } from './channel-changes.js';
import { privacyAfter } from './change-privacy.js';
import {
  assertMaySetDeletionPolicy,
  assertTopicsTellNothing,
  restrictsDeletion,
} from './channel-settings.js';
import type { ChannelPermissions } from '../../events/channels.js';
import { channelPermissionTable } from './permission-values.js';

/** Whoever is given one of these can read a private channel, so only its readers give them. */
const grantingContent: readonly (keyof ChannelPermissions)[] = [
  'can_add_subscribers_group',
  'can_subscribe_group',
];

/** Gives permissions of a channel to others; a stale `old` refuses the change. */
export const changePermissions: DecideChange = (channel, changes, { moment, user: caller }) => {
  const changed = changedPermissions(moment, {
    present: channel.permissions,
    rules: channelPermissionTable,
    changes: changes.permissions,
  });
  if (changed === null) return [];
  if (restrictsDeletion(changed.permissions)) assertMaySetDeletionPolicy(moment, caller);
  const { can_create_topic_group: mayCreateTopics } = changed.permissions;
  if (mayCreateTopics !== undefined) assertTopicsTellNothing(privacyAfter(channel, changes), mayCreateTopics);
  const opens = grantingContent.some((name) => name in changed.permissions);
  if (opens && !hasContentAccess(moment, caller, channel)) throw failure('channelContentAccessRequired');
  return [{ type: 'ChannelPermissionsChanged', data: { channelId: channel.id, ...changed } }];
};
