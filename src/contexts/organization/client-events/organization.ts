import { channelGroupObject } from '../../channels/channel-group-object.js';
import { codePlaygroundObject, domainObject } from '../views/organization-objects.js';
import type { OrganizationEvent, PictureKind } from '../../../events/organization.js';
import { organizationNumber } from '../../../kernel/api-constants.js';
import { groupsOf } from '../../../access/records/organization.js';
import { pictureOf } from '../pictures.js';
import { isGuest } from '../../../access/records/roles.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { organizationState } from '../views/organization-state.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import {
  noClientEvent,
  mapper,
  type AddressedEvent,
  type MapperContext,
  type Mappers,
} from '../../../realtime/mapper.js';
import { waitingPeriod } from './waiting-period.js';
import type { ChannelModels } from '../../channels/client-models.js';

/** Settings that clients are told of together, because they mean something only together. */
const toldTogether: ReadonlySet<string> = new Set([
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'message_edit_history_visibility_policy',
  'move_messages_between_streams_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'topics_policy',
  'description',
]);

/** What follows from a setting or a permission, and changes with it: its HTML, or an older word for it. */
const derivedNames: Readonly<Record<string, string>> = {
  description: 'rendered_description',
  message_edit_history_visibility_policy: 'allow_edit_history',
  topics_policy: 'mandatory_topics',
  can_mention_many_users_group: 'wildcard_mention_policy',
};

/** The organization as a whole. */
export const organizationMappers: Mappers<OrganizationEvent, ChannelModels> = {
  // Nobody could have registered before it.
  OrganizationCreated: noClientEvent,
  OrganizationSettingsChanged: mapper({
    before: waitingPeriod.before,
    read: waitingPeriod.read,
    clientEvents: (event, context) => {
      const { settings } = event.data;
      const { directory } = context.snapshot;
      if (directory.organization === null) return [];
      const state = organizationState(directory.organization, directory);
      const names = Object.keys(settings);
      const single = names.filter((name) => !toldTogether.has(name));
      return [
        ...single.map((property) =>
          toEveryone({ type: 'realm', op: 'update', property, value: state[`realm_${property}`] }),
        ),
        ...together(
          names.filter((name) => toldTogether.has(name)),
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
  DefaultChannelGroupCreated: { clientEvents: channelGroupsEvent },
  DefaultChannelGroupChanged: { clientEvents: channelGroupsEvent },
  OrganizationDeactivated: {
    clientEvents: () => [toEveryone({ type: 'realm', op: 'deactivated', realm_id: organizationNumber })],
  },
  // Nobody is connected until then.
  OrganizationReactivated: noClientEvent,
  DefaultChannelGroupRemoved: { clientEvents: channelGroupsEvent },
};

/** Tells everyone what some permissions of the organization are now. */
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

/** The whole list, whatever of it changed. */
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

/** The whole list, for all but guests. */
function channelGroupsEvent(
  _event: unknown,
  { snapshot: { directory } }: MapperContext,
): readonly AddressedEvent[] {
  const groups = groupsOf(directory.organization ?? {}).map(channelGroupObject);
  const event = { type: 'default_stream_groups', default_stream_groups: groups };
  return [{ to: (user) => !isGuest(user), event }];
}

function toEveryone(event: ClientEvent): AddressedEvent {
  return { to: 'everyone', event };
}

function together(
  names: readonly string[],
  state: Readonly<Record<string, unknown>>,
): readonly AddressedEvent[] {
  if (names.length === 0) return [];
  const told = names.flatMap((name) => [name, derivedNames[name] ?? name]);
  const data = Object.fromEntries(told.map((name) => [name, state[`realm_${name}`]]));
  return [toEveryone({ type: 'realm', op: 'update_dict', property: 'default', data })];
}
