import { channelGroupsEvent } from '../../channels/client-events/defaults.js';
import { codePlaygroundObject, domainObject } from '../organization.replies.js';
import type { OrganizationEvent, PictureKind } from '../../../events/organization.js';
import type { OrganizationSettingName } from '../../../events/values/organization-settings.js';
import { ORGANIZATION_NUMBER } from '../../../kernel/api-constants.js';
import { pictureOf } from '../pictures.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { organizationState } from '../organization-members.js';
import { apiNameOf } from '../setting-names.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import {
  NO_CLIENT_EVENT,
  mapper,
  type AddressedEvent,
  type MapperContext,
  type Mappers,
} from '../../../realtime/mapper.js';
import { waitingPeriod } from './waiting-period.js';
import type { ChannelModels } from '../../channels/client-models.js';

/** Settings that clients get together in one event, because they depend on each other. */
const sentTogether: ReadonlySet<string> = new Set([
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'message_edit_history_visibility_policy',
  'move_messages_between_streams_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'topics_policy',
  'description',
]);

/**
 * Names of values that derive from a setting or a permission, and change with it: its HTML, or its older
 * form.
 */
const derivedNames: Readonly<Record<string, string>> = {
  description: 'rendered_description',
  message_edit_history_visibility_policy: 'allow_edit_history',
  topics_policy: 'mandatory_topics',
  can_mention_many_users_group: 'wildcard_mention_policy',
  can_create_public_channel_group: 'create_public_stream_policy',
  can_create_private_channel_group: 'create_private_stream_policy',
  can_create_web_public_channel_group: 'create_web_public_stream_policy',
  can_add_subscribers_group: 'invite_to_stream_policy',
  can_create_bots_group: 'bot_creation_policy',
  can_create_write_only_bots_group: 'bot_creation_policy',
};

/** Client events about the organization. */
export const organizationMappers: Mappers<OrganizationEvent, ChannelModels> = {
  // No client can be registered before it.
  OrganizationCreated: NO_CLIENT_EVENT,
  OrganizationSettingsChanged: mapper({
    before: waitingPeriod.before,
    read: waitingPeriod.read,
    clientEvents: (event, context) => {
      const { settings } = event.data;
      const { directory } = context.snapshot;
      if (directory.organization === null) return [];
      const state = organizationState(directory.organization, directory);
      const names = (Object.keys(settings) as OrganizationSettingName[]).map(apiNameOf);
      const single = names.filter((name) => !sentTogether.has(name));
      return [
        ...single.map((property) =>
          toEveryone({ type: 'realm', op: 'update', property, value: state[`realm_${property}`] }),
        ),
        ...together(
          names.filter((name) => sentTogether.has(name)),
          state,
        ),
        ...waitingPeriod.clientEvents(event, context),
      ];
    },
  }),
  OrganizationPermissionsChanged: {
    clientEvents: ({ data: { permissions } }, { snapshot }) =>
      permissionEvents(snapshot, Object.keys(permissions)),
  },
  DomainAllowed: { clientEvents: ({ data }) => domain('add', { realm_domain: domainObject(data) }) },
  AllowedDomainChanged: {
    clientEvents: ({ data }) => domain('change', { realm_domain: domainObject(data) }),
  },
  AllowedDomainRemoved: { clientEvents: ({ data }) => domain('remove', { domain: data.domain }) },
  CodePlaygroundAdded: { clientEvents: codePlaygroundsEvent },
  CodePlaygroundRemoved: { clientEvents: codePlaygroundsEvent },
  OrganizationPictureChanged: { clientEvents: pictureEvent },
  OrganizationPictureRemoved: { clientEvents: pictureEvent },
  DefaultChannelGroupCreated: { clientEvents: groupsChanged },
  DefaultChannelGroupChanged: { clientEvents: groupsChanged },
  OrganizationDeactivated: {
    clientEvents: () => [toEveryone({ type: 'realm', op: 'deactivated', realm_id: ORGANIZATION_NUMBER })],
  },
  // No client is connected before it.
  OrganizationReactivated: NO_CLIENT_EVENT,
  DefaultChannelGroupRemoved: { clientEvents: groupsChanged },
};

/** The client event about new values of permissions of the organization. */
export function permissionEvents(
  { directory }: Snapshot,
  names: readonly string[],
): readonly AddressedEvent[] {
  if (directory.organization === null) return [];
  return together(names, organizationState(directory.organization, directory));
}

function domain(op: string, fields: object): readonly AddressedEvent[] {
  return [toEveryone({ type: 'realm_domains', op, ...fields })];
}

/** The complete list. */
function codePlaygroundsEvent(
  _event: unknown,
  { snapshot: { directory } }: MapperContext,
): readonly AddressedEvent[] {
  const playgrounds = (directory.organization?.codePlaygrounds ?? []).map(codePlaygroundObject);
  return [toEveryone({ type: 'realm_playgrounds', realm_playgrounds: playgrounds })];
}

function pictureEvent(
  { data: { kind } }: { readonly data: { readonly kind: PictureKind } },
  { snapshot: { directory } }: MapperContext,
): readonly AddressedEvent[] {
  const { url, source } = pictureOf(directory.organization ?? {}, kind);
  const data = { [`${kind}_url`]: url, [`${kind}_source`]: source };
  return [toEveryone({ type: 'realm', op: 'update_dict', property: kind, data })];
}

function groupsChanged(_event: unknown, { snapshot }: MapperContext): readonly AddressedEvent[] {
  return [channelGroupsEvent(snapshot)];
}

function toEveryone(event: ClientEvent): AddressedEvent {
  return { to: 'everyone', event };
}

function together(
  names: readonly string[],
  state: Readonly<Record<string, unknown>>,
): readonly AddressedEvent[] {
  if (names.length === 0) return [];
  const changed = names.flatMap((name) => [name, derivedNames[name] ?? name]);
  const data = Object.fromEntries(changed.map((name) => [name, state[`realm_${name}`]]));
  return [toEveryone({ type: 'realm', op: 'update_dict', property: 'default', data })];
}
