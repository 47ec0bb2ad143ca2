import type { Fold } from '../kernel/decider.js';
import { definedOf } from '../kernel/defined.js';
import type { RecordedEvent } from '../kernel/event.js';
import { unreachable } from '../kernel/json.js';
import type { AllowedDomain } from './allowed-domains.js';
import type { CodePlayground } from './code-playgrounds.js';
import type { OrganizationEvent } from './events.js';
import { defaultOrganizationPermissions, type OrganizationPermissions } from './permissions.js';
import { defaultOrganizationSettings, type OrganizationSettings } from './settings.js';

/** The stream that holds what is set for the organization as a whole. */
export const organizationStream = 'organization';

/** The organization, once it exists. */
export interface Organization {
  /** Milliseconds since the UNIX epoch. */
  readonly createdAt: number;
  readonly settings: OrganizationSettings;
  readonly permissions: OrganizationPermissions;
  /** In the order in which they were allowed. */
  readonly domains: readonly AllowedDomain[];
  /** In the order in which they were added. */
  readonly codePlaygrounds: readonly CodePlayground[];
}

/** What the events of the stream `organization` make of it; null before it was created. */
export const organizationFold: Fold<Organization | null, RecordedEvent<OrganizationEvent>> = {
  snapshot: { name: 'organization', version: 2 },
  initial: null,
  evolve(organization, event) {
    if (event.type === 'OrganizationCreated') return created(event);
    return organization === null ? null : changed(organization, event);
  },
};

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
    default:
      return unreachable(event);
  }
}

function domainIn({
  domainId: id,
  ...facts
}: Omit<AllowedDomain, 'id'> & { readonly domainId: number }): AllowedDomain {
  return { id, ...facts };
}
