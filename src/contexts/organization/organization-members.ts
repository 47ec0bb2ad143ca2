import { PerDirectoryState, type Directory } from '../../access/directory.js';
import { shownPermissions } from '../../access/permission-value.js';
import type { Organization } from '../../access/records/organization.js';
import { systemGroupIds } from '../../events/values/organization-defaults.js';
import { organizationPermissionNames } from '../../events/values/organization-permissions.js';
import { organizationSettingNames } from '../../events/values/organization-settings.js';
import { toSeconds } from '../../kernel/clock.js';
import { renderDescription } from '../../markdown/render.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { olderPolicies } from './older-policies.js';
import { serverConstants } from './server-constants.js';
import { apiNameOf } from './setting-names.js';

/** Shared by all clients, because everyone gets the same. */
const known = new PerDirectoryState<Readonly<Record<string, unknown>>>();

/**
 * Members of the initial state for the organization's settings and permissions: `realm_` with the name of
 * each, and the older members that clients still request.
 */
export function organizationState(
  organization: Organization,
  directory: Directory,
): Readonly<Record<string, unknown>> {
  return known.of(directory, () => stateOf(organization, directory));
}

function stateOf(
  { createdAt, settings, permissions: kept }: Organization,
  directory: Directory,
): Readonly<Record<string, unknown>> {
  const permissions = shownPermissions(directory, kept);
  return {
    ...Object.fromEntries(
      organizationSettingNames.map((name) => [`realm_${apiNameOf(name)}`, settings[name]]),
    ),
    ...Object.fromEntries(organizationPermissionNames.map((name) => [`realm_${name}`, permissions[name]])),
    // A constant id without further meaning.
    realm_uuid: commandIdOf(['organization', String(createdAt)]),
    realm_workplace_users_group: systemGroupIds.everyone,
    realm_default_avatar_source: 'G',
    password_min_guesses: settings.password_min_guesses,
    jitsi_server_url: settings.jitsi_server_url ?? serverConstants.server_jitsi_server_url,
    realm_date_created: toSeconds(createdAt),
    realm_rendered_description: renderDescription(settings.description),
    realm_allow_edit_history: settings.message_edit_history_visibility_policy !== 'none',
    realm_mandatory_topics: settings.topics_policy === 'disable_empty_topic',
    ...olderPolicies(permissions),
  };
}
