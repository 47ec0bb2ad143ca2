import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { somePermissionsSchema } from './values/organization-permissions.js';
import { someSettingsSchema } from './values/organization-settings.js';

/** Stream `organization`. Settings and permissions that it does not contain have their defaults. */
export const OrganizationCreated = defineEvent({
  type: 'OrganizationCreated',
  version: 2,
  description: 'The organization was created, with the settings and permissions that it began with.',
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
  description: 'Some settings of the organization were changed.',
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
  description: 'Some permissions of the organization were given to other groups or people.',
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
  description: 'The addresses of a domain may join the organization where it is restricted to domains.',
  schema: z.strictObject({ domainId: id, domain: z.string(), allowSubdomains: z.boolean() }),
  example: { domainId: 5, domain: 'example.com', allowSubdomains: false },
});

/** Stream `organization`. */
export const AllowedDomainChanged = defineEvent({
  type: 'AllowedDomainChanged',
  description: 'The subdomains of an allowed domain were allowed with it, or no longer.',
  schema: z.strictObject({ domainId: id, domain: z.string(), allowSubdomains: z.boolean() }),
  example: { domainId: 5, domain: 'example.com', allowSubdomains: true },
});

/** Stream `organization`. */
export const AllowedDomainRemoved = defineEvent({
  type: 'AllowedDomainRemoved',
  description: 'A domain is no longer among those that the organization is restricted to.',
  schema: z.strictObject({ domainId: id, domain: z.string() }),
  example: { domainId: 5, domain: 'example.com' },
});

/** Stream `organization`. The id is the revision of this event plus one. */
export const CodePlaygroundAdded = defineEvent({
  type: 'CodePlaygroundAdded',
  description: 'A place was named, last, where clients may open the code blocks of a language.',
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
  description: 'A place where clients may open code blocks was removed.',
  schema: z.strictObject({ playgroundId: id }),
  example: { playgroundId: 6 },
});

/** The organization's pictures: an icon, and logos for light and for dark pages. */
export const pictureKinds = ['icon', 'logo', 'night_logo'] as const;
export type PictureKind = (typeof pictureKinds)[number];

/** Stream `organization`. */
export const OrganizationPictureChanged = defineEvent({
  type: 'OrganizationPictureChanged',
  description: 'The organization got another icon or logo.',
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
  description: 'The organization has an icon or logo of its own no longer.',
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
  description: 'Channels were put together that new people may choose at once.',
  schema: z.strictObject(channelGroup),
  example: exampleGroup,
});

/** Stream `organization`. */
export const DefaultChannelGroupChanged = defineEvent({
  type: 'DefaultChannelGroupChanged',
  description:
    'A group of channels that new people may choose has another name, description, or other channels.',
  schema: z.strictObject(channelGroup),
  example: exampleGroup,
});

/** Stream `organization`. */
export const DefaultChannelGroupRemoved = defineEvent({
  type: 'DefaultChannelGroupRemoved',
  description: 'A group of channels that new people could choose was removed; the channels stay.',
  schema: z.strictObject({ groupId: id }),
  example: { groupId: 7 },
});

/** Stream `organization`. */
export const OrganizationDeactivated = defineEvent({
  type: 'OrganizationDeactivated',
  description: 'The organization was deactivated: nobody is let in any more.',
  schema: z.strictObject({
    /** Days after which its data is to be deleted, which operators have to do; null: never. */
    deletionDelayDays: z.number().int().nonnegative().nullable(),
  }),
  example: { deletionDelayDays: 30 },
});

/** Stream `organization`. */
export const OrganizationReactivated = defineEvent({
  type: 'OrganizationReactivated',
  description: 'The organization was made active again by an operator.',
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
