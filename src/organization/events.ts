import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import {
  defaultOrganizationPermissions,
  defaultOrganizationSettings,
  organizationPermissionsSchema,
  organizationSettingsSchema,
} from './defaults.js';

/** Stream `organization`. */
export const OrganizationCreated = defineEvent({
  type: 'OrganizationCreated',
  description: 'The organization was created, with the settings and permissions that it began with.',
  schema: z.strictObject({
    name: z.string(),
    settings: organizationSettingsSchema,
    permissions: organizationPermissionsSchema,
  }),
  example: {
    name: 'Analytical Engines',
    settings: defaultOrganizationSettings,
    permissions: defaultOrganizationPermissions,
  },
});

export const organizationEvents = [OrganizationCreated] as const;

export type OrganizationEvent = EventOf<(typeof organizationEvents)[number]>;
