import type { Fold } from '../kernel/decider.js';
import type { RecordedEvent } from '../kernel/event.js';
import type { OrganizationPermissions, OrganizationSettings } from './defaults.js';
import type { OrganizationEvent } from './events.js';

/** The stream that holds what is set for the organization as a whole. */
export const organizationStream = 'organization';

/** The organization, once it exists. */
export interface Organization {
  readonly name: string;
  /** Milliseconds since the UNIX epoch. */
  readonly createdAt: number;
  readonly settings: OrganizationSettings;
  readonly permissions: OrganizationPermissions;
}

/** What the events of the stream `organization` make of it; null before it was created. */
export const organizationFold: Fold<Organization | null, RecordedEvent<OrganizationEvent>> = {
  initial: null,
  evolve(_organization, event) {
    const { name, settings, permissions } = event.data;
    return { name, settings, permissions, createdAt: event.metadata.at };
  },
};
