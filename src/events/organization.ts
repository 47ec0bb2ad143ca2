import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { somePermissionsSchema } from './values/organization-permissions.js';
import { someSettingsSchema } from './values/organization-settings.js';

/** Stream `organization`. Settings and permissions that it does not contain have their defaults. */
export const OrganizationCreated = defineEvent({
  type: 'OrganizationCreated',
  version: 2,
  description: 'The organization was created, with its first settings and permissions.',
  schema: z.strictObject({
    name: z.string(),
    settings: someSettingsSchema,
    permissions: somePermissionsSchema,
  }),
  // Version 1 had fewer settings.
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
  description: 'Settings of the organization were changed.',
  schema: z.strictObject({
    settings: someSettingsSchema,
    /** The previous values of the same settings. */
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
  description: 'The holders of some permissions of the organization were changed.',
  schema: z.strictObject({
    permissions: somePermissionsSchema,
    /** The previous values of the same permissions. */
    previousPermissions: somePermissionsSchema,
  }),
  example: {
    permissions: { can_create_groups: { direct_members: [4], direct_subgroups: [6] } },
    previousPermissions: { can_create_groups: 3 },
  },
});

const id = z.number().int().positive();

/** Stream `organization`. The id is the revision of this event plus one. */
export const DomainAllowed = defineEvent({
  type: 'DomainAllowed',
  description:
    'A domain was added to the allowed domains: people with an address of it may join if the organization is restricted to these domains.',
  schema: z.strictObject({ domainId: id, domain: z.string(), allowSubdomains: z.boolean() }),
  example: { domainId: 5, domain: 'example.com', allowSubdomains: false },
});

/** Stream `organization`. */
export const AllowedDomainChanged = defineEvent({
  type: 'AllowedDomainChanged',
  description: 'It was changed whether the subdomains of an allowed domain are allowed as well.',
  schema: z.strictObject({ domainId: id, domain: z.string(), allowSubdomains: z.boolean() }),
  example: { domainId: 5, domain: 'example.com', allowSubdomains: true },
});

/** Stream `organization`. */
export const AllowedDomainRemoved = defineEvent({
  type: 'AllowedDomainRemoved',
  description: 'A domain was removed from the allowed domains.',
  schema: z.strictObject({ domainId: id, domain: z.string() }),
  example: { domainId: 5, domain: 'example.com' },
});

/** Stream `organization`. The id is the revision of this event plus one. */
export const CodePlaygroundAdded = defineEvent({
  type: 'CodePlaygroundAdded',
  description:
    'A code playground (a web page in which clients open code blocks of a language) was added at the end of the list.',
  schema: z.strictObject({
    playgroundId: id,
    name: z.string(),
    /** The language in the opening line of a code block. */
    language: z.string(),
    /** RFC 6570, with `code` as its only variable. */
    urlTemplate: z.string(),
  }),
  example: {
    playgroundId: 6,
    name: 'Rust play',
    language: 'Rust',
    urlTemplate: 'https://rust.example.com/?code={code}',
  },
});

/** Stream `organization`. */
export const CodePlaygroundRemoved = defineEvent({
  type: 'CodePlaygroundRemoved',
  description: 'A code playground was removed.',
  schema: z.strictObject({ playgroundId: id }),
  example: { playgroundId: 6 },
});

/** The organization's pictures: an icon, and logos for light and for dark pages. */
export const pictureKinds = ['icon', 'logo', 'night_logo'] as const;
export type PictureKind = (typeof pictureKinds)[number];

/** Stream `organization`. */
export const OrganizationPictureChanged = defineEvent({
  type: 'OrganizationPictureChanged',
  description: 'The icon or a logo of the organization was changed.',
  schema: z.strictObject({
    kind: z.enum(pictureKinds),
    /** Name in the file store. */
    storageName: z.string(),
    /** Id of its key. */
    contentKey: z.string(),
    /** Its extension gives its type. */
    fileName: z.string(),
    /** Bytes. */
    size: z.number().int().positive(),
    /** Name of the replaced picture in the file store; null: there was none. */
    replacedName: z.string().nullable(),
  }),
  example: {
    kind: 'icon',
    storageName: '2/realm/9f86d081884c7d65',
    contentKey: '2/realm/9f86d081884c7d65',
    fileName: '9f86d081884c7d65.png',
    size: 4096,
    replacedName: null,
  },
});

/** Stream `organization`. */
export const OrganizationPictureRemoved = defineEvent({
  type: 'OrganizationPictureRemoved',
  description: 'The custom icon or a custom logo of the organization was removed.',
  schema: z.strictObject({
    kind: z.enum(pictureKinds),
    /** Its name in the file store. */
    replacedName: z.string(),
  }),
  example: { kind: 'icon', replacedName: '2/realm/9f86d081884c7d65' },
});

const channelGroup = {
  groupId: id,
  name: z.string(),
  description: z.string(),
  channelIds: z.array(id),
} as const;
const exampleGroup = { groupId: 7, name: 'Weavers', description: 'Who weaves', channelIds: [1, 2] };

/** Stream `organization`. The id is the revision of this event plus one. */
export const DefaultChannelGroupCreated = defineEvent({
  type: 'DefaultChannelGroupCreated',
  description: 'A group of channels that new people may choose together was created.',
  schema: z.strictObject(channelGroup),
  example: exampleGroup,
});

/** Stream `organization`. */
export const DefaultChannelGroupChanged = defineEvent({
  type: 'DefaultChannelGroupChanged',
  description:
    'The name, the description or the channels of a group of channels for new people were changed.',
  schema: z.strictObject(channelGroup),
  example: exampleGroup,
});

/** Stream `organization`. */
export const DefaultChannelGroupRemoved = defineEvent({
  type: 'DefaultChannelGroupRemoved',
  description: 'A group of channels for new people was removed. The channels stay.',
  schema: z.strictObject({ groupId: id }),
  example: { groupId: 7 },
});

/** Stream `organization`. */
export const OrganizationDeactivated = defineEvent({
  type: 'OrganizationDeactivated',
  description: 'The organization was deactivated: nobody can log in any more.',
  schema: z.strictObject({
    /** Days after which its data is to be deleted, which operators have to do; null: never. */
    deletionDelayDays: z.number().int().nonnegative().nullable(),
  }),
  example: { deletionDelayDays: 30 },
});

/** Stream `organization`. */
export const OrganizationReactivated = defineEvent({
  type: 'OrganizationReactivated',
  description: 'An operator made the organization active again.',
  schema: z.strictObject({
    /** The operating system's account that ran the command. */
    operator: z.string(),
  }),
  example: { operator: 'root' },
});

export const organizationEvents = [
  OrganizationCreated,
  OrganizationSettingsChanged,
  OrganizationPermissionsChanged,
  DomainAllowed,
  AllowedDomainChanged,
  AllowedDomainRemoved,
  CodePlaygroundAdded,
  CodePlaygroundRemoved,
  OrganizationPictureChanged,
  OrganizationPictureRemoved,
  DefaultChannelGroupCreated,
  DefaultChannelGroupChanged,
  DefaultChannelGroupRemoved,
  OrganizationDeactivated,
  OrganizationReactivated,
] as const;

export type OrganizationEvent = EventOf<(typeof organizationEvents)[number]>;
