import type { Directory } from '../../../access/directory.js';
import { PerDirectoryState } from '../../../access/per-directory-state.js';
import { shownPermissions } from '../../../access/shown-permission.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { toSeconds } from '../../../kernel/clock.js';
import { renderMarkdown } from '../../../markdown/render.js';
import { systemGroupIds } from '../../../events/values/organization-defaults.js';
import type { GroupSetting } from '../../../events/values/group-setting.js';
import type { Organization } from '../../../access/records/organization.js';
import { organizationPermissionNames } from '../../../events/values/organization-permissions.js';

/** All who register are told the same. */
const known = new PerDirectoryState<Readonly<Record<string, unknown>>>();

/**
 * What the initial state of a client says of the organization's settings and permissions: `realm_` and the name of each,
 * and the older words that clients still ask for (facts of the events, section 3, `realm`).
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
  const { giphy_rating: gifRating, ...shown } = settings;
  return {
    ...Object.fromEntries(Object.entries(shown).map(([name, value]) => [`realm_${name}`, value])),
    realm_gif_rating_policy: gifRating,
    ...Object.fromEntries(organizationPermissionNames.map((name) => [`realm_${name}`, permissions[name]])),
    // It is the same for ever, and says nothing.
    realm_uuid: commandIdOf(['organization', String(createdAt)]),
    realm_workplace_users_group: systemGroupIds.everyone,
    realm_default_avatar_source: 'G',
    password_min_guesses: settings.password_min_guesses,
    realm_date_created: toSeconds(createdAt),
    realm_rendered_description:
      settings.description === '' ? '' : renderMarkdown(settings.description, {}).html,
    realm_allow_edit_history: settings.message_edit_history_visibility_policy !== 'none',
    realm_mandatory_topics: settings.topics_policy === 'disable_empty_topic',
    realm_wildcard_mention_policy: wildcardMentionPolicy(permissions.can_mention_many_users_group),
  };
}

const wildcardMentionPolicies: ReadonlyMap<GroupSetting, number> = new Map<GroupSetting, number>([
  [systemGroupIds.everyone, 1],
  [systemGroupIds.members, 2],
  [systemGroupIds.fullMembers, 3],
  [systemGroupIds.administrators, 5],
  [systemGroupIds.nobody, 6],
  [systemGroupIds.moderators, 7],
]);

/** The word of older clients for who mentions many; groups that it has no word for are shown as administrators. */
function wildcardMentionPolicy(setting: GroupSetting): number {
  return wildcardMentionPolicies.get(setting) ?? 5;
}
