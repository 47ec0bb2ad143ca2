import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { roleSchema } from './users.js';

const id = z.number().int().positive();

/** What people get who accept the invitation. */
const invitationTermsSchema = z.strictObject({
  role: roleSchema,
  channelIds: z.array(id),
  groupIds: z.array(id),
  /** Whether they also get the organization's default channels of that time. */
  includeDefaultChannels: z.boolean(),
});
export type InvitationTerms = z.infer<typeof invitationTermsSchema>;

const common = {
  invitationId: id,
  terms: invitationTermsSchema,
  /** The second message of the welcome bot; null: the organization's text; empty: none. */
  welcomeText: z.string().nullable(),
  /** Seconds since the UNIX epoch; null: never. */
  expiresAt: z.number().int().nullable(),
} as const;

const exampleTerms: InvitationTerms = {
  role: 400,
  channelIds: [1],
  groupIds: [],
  includeDefaultChannels: true,
};

/**
 * The key that encrypts the address of an invitation. It is destroyed once the person has an account, which
 * holds the address then.
 */
export function invitationKey(invitationId: number): string {
  return `invitation-${invitationId}`;
}

/** Stream `invitations`. The id is the revision of this event plus one. An e-mail follows. */
export const InvitationSent = defineEvent({
  type: 'InvitationSent',
  description: 'Somebody was invited to join, or asked to join by a reusable link or without an invitation.',
  schema: z.strictObject({
    ...common,
    email: z.string(),
    /** Keyed digest of the address. */
    emailDigest: z.string(),
    /** Null: nobody invited the person, who joins on their own. */
    inviterId: id.nullable(),
    /** The reusable link that was used; null: the inviter entered the address. */
    linkId: id.nullable(),
    /** Whether the inviter gets a notice when the person joins. */
    notifyInviter: z.boolean(),
  }),
  erasable: {
    fields: ['email', 'welcomeText'],
    owner: () => null,
    key: (data) => invitationKey(data.invitationId),
    // Not null, which would mean the organization's text.
    placeholder: { email: '', welcomeText: '' },
  },
  example: {
    invitationId: 1,
    email: 'bo@example.com',
    emailDigest: '9f2c',
    inviterId: 3,
    linkId: null,
    terms: exampleTerms,
    welcomeText: 'Ask **Ada** for a desk.',
    expiresAt: 1_768_089_600,
    notifyInviter: true,
  },
});

/** Stream `invitations`. The id is the revision of this event plus one. */
export const InvitationLinkCreated = defineEvent({
  type: 'InvitationLinkCreated',
  description: 'A reusable link was created. Anybody who has it may ask to join.',
  schema: z.strictObject({ ...common, inviterId: id }),
  erasable: {
    fields: ['welcomeText'],
    owner: (data) => data.inviterId,
    placeholder: { welcomeText: null },
  },
  example: {
    invitationId: 2,
    inviterId: 3,
    terms: exampleTerms,
    welcomeText: null,
    expiresAt: null,
  },
});

/** The invitation and its inviter; null: nobody. */
const name = { invitationId: id, inviterId: id.nullable() } as const;

/** Stream `invitations`. An e-mail follows. */
export const InvitationRenewed = defineEvent({
  type: 'InvitationRenewed',
  description: 'An invitation was sent again, and its period of validity starts again.',
  schema: z.strictObject({ ...name, expiresAt: z.number().int().nullable() }),
  example: { invitationId: 1, inviterId: 3, expiresAt: 1_768_953_600 },
});

/** Stream `invitations`. */
export const InvitationRevoked = defineEvent({
  type: 'InvitationRevoked',
  description: 'An invitation or a reusable link was revoked.',
  schema: z.strictObject(name),
  example: { invitationId: 1, inviterId: 3 },
});

/** Stream `invitations`. The cause is the account's registration, whose cause is the invitation. */
export const InvitationAccepted = defineEvent({
  type: 'InvitationAccepted',
  description:
    'Somebody created their account with an invitation. Other invitations to the same address are no longer valid.',
  schema: z.strictObject({ ...name, userId: id, voidedIds: z.array(id) }),
  example: { invitationId: 1, inviterId: 3, userId: 4, voidedIds: [] },
});

export const invitationEvents = [
  InvitationSent,
  InvitationLinkCreated,
  InvitationRenewed,
  InvitationRevoked,
  InvitationAccepted,
] as const;
export type InvitationEvent = EventOf<(typeof invitationEvents)[number]>;
