import type { OrganizationEvent } from '../../organization/events.js';
import type { Moment } from '../../directory/moment.js';
import { codePlaygroundObject } from '../../organization/views/code-playground-object.js';
import { domainObject } from '../../organization/views/domain-object.js';
import { organizationState } from '../../organization/views/organization-state.js';
import type { ClientEvent } from '../client-event.js';
import { noClientEvent, translation, type Notice, type Scene, type Translations } from '../translation.js';
import { waitingPeriod } from './waiting-period.js';

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
export const organizationTranslations: Translations<OrganizationEvent> = {
  // Nobody could have registered before it.
  OrganizationCreated: noClientEvent,
  OrganizationSettingsChanged: translation({
    before: waitingPeriod.before,
    read: waitingPeriod.read,
    notices: (event, scene) => {
      const { settings } = event.data;
      const { directory } = scene.moment;
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
        ...waitingPeriod.notices(event, scene),
      ];
    },
  }),
  OrganizationPermissionsChanged: {
    notices: ({ data: { permissions } }, { moment }) => permissionNotices(moment, Object.keys(permissions)),
  },
  DomainAllowed: { notices: ({ data }) => domain('add', { realm_domain: domainObject(data) }) },
  AllowedDomainChanged: { notices: ({ data }) => domain('change', { realm_domain: domainObject(data) }) },
  AllowedDomainRemoved: { notices: ({ data }) => domain('remove', { domain: data.domain }) },
  CodePlaygroundAdded: { notices: codePlaygroundsNotice },
  CodePlaygroundRemoved: { notices: codePlaygroundsNotice },
};

/** Tells everyone what some permissions of the organization are now. */
export function permissionNotices({ directory }: Moment, names: readonly string[]): readonly Notice[] {
  if (directory.organization === null) return [];
  return together(names, organizationState(directory.organization, directory));
}

function domain(op: string, fields: object): readonly Notice[] {
  return [toEveryone({ type: 'realm_domains', op, ...fields })];
}

/** The whole list, whatever of it changed. */
function codePlaygroundsNotice(_event: unknown, { moment: { directory } }: Scene): readonly Notice[] {
  const playgrounds = (directory.organization?.codePlaygrounds ?? []).map(codePlaygroundObject);
  return [toEveryone({ type: 'realm_playgrounds', realm_playgrounds: playgrounds })];
}

function toEveryone(event: ClientEvent): Notice {
  return { to: 'everyone', event };
}

function together(names: readonly string[], state: Readonly<Record<string, unknown>>): readonly Notice[] {
  if (names.length === 0) return [];
  const told = names.flatMap((name) => [name, derivedNames[name] ?? name]);
  const data = Object.fromEntries(told.map((name) => [name, state[`realm_${name}`]]));
  return [toEveryone({ type: 'realm', op: 'update_dict', property: 'default', data })];
}
