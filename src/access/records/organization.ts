import type { Fold } from '../../kernel/fold.js';
import { definedOf, unreachable } from '../../kernel/json.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { stream } from '../../kernel/decision.js';
import type { AllowedDomain } from './allowed-domains.js';
import type { CodePlayground } from './code-playgrounds.js';
import type {
  DefaultChannelGroupCreated,
  OrganizationEvent,
  OrganizationPictureChanged,
  PictureKind,
} from '../../events/organization.js';
import {
  defaultOrganizationPermissions,
  type OrganizationPermissions,
} from '../../events/values/organization-permissions.js';
import {
  defaultOrganizationSettings,
  type OrganizationSettings,
} from '../../events/values/organization-settings.js';

/** The stream with the settings of the whole organization. */
export const ORGANIZATION_STREAM = 'organization';

/** The organization, once it exists. */
export interface Organization {
  /** Milliseconds since the UNIX epoch. */
  readonly createdAt: number;
  readonly settings: OrganizationSettings;
  readonly permissions: OrganizationPermissions;
  /** In the order in which they were added. */
  readonly domains: readonly AllowedDomain[];
  /** In the order in which they were added. */
  readonly codePlaygrounds: readonly CodePlayground[];
  /** By kind; absent: none of its own. */
  readonly pictures?: Partial<Record<PictureKind, OrganizationPicture>>;
  /** Groups of channels that new people may choose, in the order in which they were created. Absent: none. */
  readonly channelGroups?: readonly DefaultChannelGroup[];
  /** Nobody may log in. Absent: the organization is active. */
  readonly isDeactivated?: true;
}

/** An icon or a logo, and its name in the file store; null: it was removed. */
interface OrganizationPicture {
  readonly stored: Omit<EventOf<typeof OrganizationPictureChanged>['data'], 'kind' | 'replacedName'> | null;
  /** From 1; rises with every change, so that clients fetch it again. */
  readonly version: number;
}

/** A group of channels that new people may choose. */
export type DefaultChannelGroup = EventOf<typeof DefaultChannelGroupCreated>['data'];

/** Folds the stream `organization`; null before it was created. */
export const organizationFold: Fold<Organization | null, RecordedEvent<OrganizationEvent>> = {
  snapshot: { name: 'organization', version: 8 },
  initial: null,
  evolve(organization, event) {
    if (event.type === 'OrganizationCreated') return created(event);
    return organization === null ? null : changed(organization, event);
  },
};

/** The stream of the organization, for decisions about it. */
export const foldedOrganization = stream(ORGANIZATION_STREAM, organizationFold);

/** Asserts that the organization exists: every server that answers requests has created it. */
export function existing(organization: Organization | null): Organization {
  if (organization === null) throw new Error('A server that runs has its organization');
  return organization;
}

type Created = Extract<RecordedEvent<OrganizationEvent>, { type: 'OrganizationCreated' }>;

function created({ data, metadata }: Created): Organization {
  return {
    createdAt: metadata.at,
    settings: { ...defaultOrganizationSettings, ...definedOf(data.settings), name: data.name },
    permissions: { ...defaultOrganizationPermissions, ...definedOf(data.permissions) },
    domains: [],
    codePlaygrounds: [],
  };
}

function changed(
  organization: Organization,
  event: Exclude<RecordedEvent<OrganizationEvent>, Created>,
): Organization {
  const { settings, permissions, domains, codePlaygrounds } = organization;
  switch (event.type) {
    case 'OrganizationSettingsChanged':
      return { ...organization, settings: { ...settings, ...definedOf(event.data.settings) } };
    case 'OrganizationPermissionsChanged':
      return { ...organization, permissions: { ...permissions, ...definedOf(event.data.permissions) } };
    case 'DomainAllowed':
      return { ...organization, domains: [...domains, domainIn(event.data)] };
    case 'AllowedDomainChanged': {
      const { domainId } = event.data;
      const changed = domains.map((domain) => (domain.id === domainId ? domainIn(event.data) : domain));
      return { ...organization, domains: changed };
    }
    case 'AllowedDomainRemoved': {
      const { domainId } = event.data;
      return { ...organization, domains: domains.filter(({ id }) => id !== domainId) };
    }
    case 'CodePlaygroundAdded':
      return { ...organization, codePlaygrounds: [...codePlaygrounds, event.data] };
    case 'CodePlaygroundRemoved': {
      const { playgroundId } = event.data;
      const others = codePlaygrounds.filter((playground) => playground.playgroundId !== playgroundId);
      return { ...organization, codePlaygrounds: others };
    }
    case 'OrganizationPictureChanged': {
      const { kind, replacedName: _replaced, ...stored } = event.data;
      return withPicture(organization, kind, stored);
    }
    case 'OrganizationPictureRemoved':
      return withPicture(organization, event.data.kind, null);
    case 'DefaultChannelGroupCreated':
      return { ...organization, channelGroups: [...groupsOf(organization), event.data] };
    case 'DefaultChannelGroupChanged': {
      const { groupId } = event.data;
      const channelGroups = groupsOf(organization).map((one) => (one.groupId === groupId ? event.data : one));
      return { ...organization, channelGroups };
    }
    case 'DefaultChannelGroupRemoved': {
      const { groupId } = event.data;
      return {
        ...organization,
        channelGroups: groupsOf(organization).filter((one) => one.groupId !== groupId),
      };
    }
    case 'OrganizationDeactivated':
      return { ...organization, isDeactivated: true };
    case 'OrganizationReactivated': {
      const { isDeactivated: _was, ...active } = organization;
      return active;
    }
    default:
      return unreachable(event);
  }
}

function withPicture(
  organization: Organization,
  kind: PictureKind,
  stored: OrganizationPicture['stored'],
): Organization {
  const version = (organization.pictures?.[kind]?.version ?? 0) + 1;
  return { ...organization, pictures: { ...organization.pictures, [kind]: { stored, version } } };
}

/** The groups of channels that new people may choose. */
export function groupsOf({
  channelGroups = [],
}: Pick<Organization, 'channelGroups'>): readonly DefaultChannelGroup[] {
  return channelGroups;
}

function domainIn({
  domainId: id,
  ...facts
}: Omit<AllowedDomain, 'id'> & { readonly domainId: number }): AllowedDomain {
  return { id, ...facts };
}
