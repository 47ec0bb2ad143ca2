import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { somePermissionsSchema } from './permissions.js';
import { someSettingsSchema } from './settings.js';

/** Stream `organization`. Settings and permissions that it does not name began with their defaults. */
export const OrganizationCreated = defineEvent({
  type: 'OrganizationCreated',
  version: 2,
  description: 'The organization was created, with the settings and permissions that it began with.',
  schema: z.strictObject({
    name: z.string(),
    settings: someSettingsSchema,
    permissions: somePermissionsSchema,
  }),
  // Version 1 knew fewer settings.
  upcasts: { 1: (data) => data },
  example: {
    name: 'Analytical Engines',
    settings: { allow_message_editing: true, message_content_edit_limit_seconds: 600 },
    permissions: { can_create_groups: 3 },
  },
});

/** Stream `organization`. */
export const OrganizationSettingsChanged = defineEvent({
  type: 'OrganizationSettingsChanged',
  description: 'Some settings of the organization were changed.',
  schema: z.strictObject({
    settings: someSettingsSchema,
    /** What the same settings were before. */
    previousSettings: someSettingsSchema,
  }),
  example: {
    settings: { message_content_edit_limit_seconds: 3600 },
    previousSettings: { message_content_edit_limit_seconds: 600 },
  },
});

/** Stream `organization`. */
export const OrganizationPermissionsChanged = defineEvent({
  type: 'OrganizationPermissionsChanged',
  description: 'Some permissions of the organization were given to other groups or people.',
  schema: z.strictObject({
    permissions: somePermissionsSchema,
    /** What the same permissions were before. */
    previousPermissions: somePermissionsSchema,
  }),
  example: {
    permissions: { can_create_groups: { direct_members: [4], direct_subgroups: [6] } },
    previousPermissions: { can_create_groups: 3 },
  },
});

export const organizationEvents = [
  OrganizationCreated,
  OrganizationSettingsChanged,
  OrganizationPermissionsChanged,
] as const;

export type OrganizationEvent = EventOf<(typeof organizationEvents)[number]>;
