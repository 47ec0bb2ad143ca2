import { z } from 'zod';
import { id, seconds } from '../../http/replies/common-schemas.js';
import { named, type Described } from '../../http/replies/named-schema.js';
import { clientEvent } from '../../realtime/client-event-schema.js';
import { presenceStatuses } from './presence.js';

/** Somebody's presence for clients that ask for it slim. */
export const slimPresenceSchema = named(
  'SlimPresence',
  z.strictObject({ active_timestamp: seconds, idle_timestamp: seconds }),
);

/** The same, as an object. */
export type SlimPresence = Described<typeof slimPresenceSchema>;

const status = z.enum(presenceStatuses);
const atProgram = { client: z.literal('website'), status, timestamp: seconds } as const;
const website = z.strictObject({ ...atProgram, pushable: z.literal(false) });

/** The same for older clients, which know of several programs that a person may be at. */
export const legacyPresenceSchema = named(
  'Presence',
  z.strictObject({ aggregated: z.strictObject(atProgram), website }),
);

/** The same, as an object. */
export type LegacyPresence = Described<typeof legacyPresenceSchema>;

const serverTimestamp = z.number().describe('Seconds since the UNIX epoch, with a fraction');

const everyone = {
  presences: z
    .record(z.string(), z.union([slimPresenceSchema, legacyPresenceSchema]))
    .describe('By account id where it is slim, else by e-mail address'),
  server_timestamp: serverTimestamp,
} as const;

const updates = { ...everyone, presence_last_update_id: z.int() } as const;

/** Everyone's presence as the API gives it. */
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

/** What is told of who is here. */
export const presenceEventSchemas = [
  clientEvent('presence', null, {
    ...common,
    presences: z
      .record(z.string(), slimPresenceSchema)
      .optional()
      .describe('For clients with the capability `simplified_presence_events`; others get what follows'),
    user_id: id.optional(),
    email: z.string().optional().describe('Not where presence is slim'),
    presence: z.strictObject({ website }).optional(),
  }),
];

/** What a client that registers is told of it. */
export const presenceStateFields = z.strictObject(updates).partial().shape;
