import { z } from 'zod';
import { type Described, id, named, seconds } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';
import { presenceStatuses } from './presence.js';

/** A person's presence in the slim form. */
const slimPresenceSchema = named(
  'SlimPresence',
  z.strictObject({ active_timestamp: seconds, idle_timestamp: seconds }),
);

/** Type of {@link slimPresenceSchema}. */
export type SlimPresence = Described<typeof slimPresenceSchema>;

const status = z.enum(presenceStatuses);
const atProgram = { client: z.literal('website'), status, timestamp: seconds } as const;
const website = z.strictObject({ ...atProgram, pushable: z.literal(false) });

/** The form for older clients, which distinguish the programs of a person. */
const legacyPresenceSchema = named(
  'Presence',
  z.strictObject({ aggregated: z.strictObject(atProgram), website }),
);

/** Type of {@link legacyPresenceSchema}. */
export type LegacyPresence = Described<typeof legacyPresenceSchema>;

const serverTimestamp = z.number().describe('Seconds since the UNIX epoch, with a fraction');

const everyone = {
  presences: z
    .record(z.string(), z.union([slimPresenceSchema, legacyPresenceSchema]))
    .describe('By account id if the request had `slim_presence`, otherwise by e-mail address'),
  server_timestamp: serverTimestamp,
} as const;

const updates = { ...everyone, presence_last_update_id: z.int() } as const;

/** Everyone's presence in the API. */
export type PresenceReply = Described<z.ZodObject<typeof updates>>;

/** Answered by `GET realm/presence`. */
export const presencesReply = everyone;

/** Answered by `POST users/me/presence`. */
export const ownPresenceReply = updates;

const statusSince = z.strictObject({ status, timestamp: seconds });

const one = z.strictObject({
  presence: z.strictObject({
    ...slimPresenceSchema.shape,
    aggregated: statusSince,
    website: statusSince,
  }),
  server_timestamp: serverTimestamp,
});

/** The presence of one account. */
export type OnePresence = Described<typeof one>;

/** Answered by `GET users/{user_id_or_email}/presence`. */
export const presenceReply = one.shape;

const common = { server_timestamp: serverTimestamp } as const;

/** Schemas of the client events about presence. */
export const presenceEventSchemas = [
  clientEvent('presence', null, {
    ...common,
    presences: z
      .record(z.string(), slimPresenceSchema)
      .optional()
      .describe(
        'Only for clients with the capability `simplified_presence_events`; other clients receive the other fields instead',
      ),
    user_id: id.optional(),
    email: z.string().optional().describe('Absent for clients that registered with `slim_presence`'),
    presence: z.strictObject({ website }).optional(),
  }),
];

/** Schemas of the initial state about presence. */
export const presenceStateFields = z.strictObject(updates).partial().shape;
