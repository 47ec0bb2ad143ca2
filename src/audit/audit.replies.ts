import { z } from 'zod';
import { id, ids, named } from '../http/replies/common-schemas.js';

/** An event's place in the log. */
export const position = z.int();

/** A time. */
export const milliseconds = z.int().describe('Milliseconds since the UNIX epoch');

/** An event as auditors see it; one that cannot be read is shown as it is stored, with the reason. */
const auditedEvent = named(
  'AuditedEvent',
  z.strictObject({
    id: z.string(),
    type: z.string().describe('The type of the event, from the event catalog'),
    stream: z.string(),
    revision: z.int(),
    position,
    data: z
      .unknown()
      .optional()
      .describe(
        'The data of the event, by the schema of its type; absent if the request has `with_data=false`',
      ),
    metadata: z.looseObject({}),
    erased: z
      .boolean()
      .optional()
      .describe('Whether placeholders replace what people wrote, because its key was destroyed'),
    unreadable: z.string().optional().describe('The reason why the event cannot be read'),
    sentence: z.string().nullable(),
    moved_messages: z
      .int()
      .optional()
      .describe('Only for moves: how many messages were moved; absent if the server does not know it yet'),
  }),
);

/** Answered by `GET audit/log`, `GET audit/people/{user_id}`, `GET audit/channels/{channel_id}`. */
export const logPageReply = {
  events: z.array(auditedEvent),
  position: position
    .nullable()
    .describe('The position to request the next page with, as `after` or `before`'),
  found_newest: z.boolean().optional(),
  found_oldest: z.boolean().optional(),
  newest: position.nullable().optional(),
};

/** Answered by `GET audit/events/{position}`. */
export const storedEventReply = {
  event: auditedEvent,
  stored: z
    .looseObject({ id: z.string(), type: z.string() })
    .describe('The event as the event store holds it'),
  hash: z.string().nullable(),
  tag: z.string().nullable(),
};

const location = z.union([
  z.strictObject({ type: z.literal('channel'), channelId: id, topic: z.string() }),
  z.strictObject({ type: z.literal('direct'), userIds: ids }),
]);

/** A part of the difference between two texts. */
export const textChange = z.strictObject({ kind: z.enum(['kept', 'added', 'removed']), text: z.string() });

const lifeChange = z.union([
  z.strictObject({ kind: z.literal('sent'), content: z.string(), location }),
  z.strictObject({ kind: z.literal('edited'), content: z.string(), changes: z.array(textChange) }),
  z.strictObject({ kind: z.literal('moved'), from: location, to: location }),
  z.strictObject({
    kind: z.enum(['reaction-added', 'reaction-removed']),
    emoji: z.string(),
    userId: id,
  }),
  z.strictObject({ kind: z.literal('submessage-attached'), content: z.string(), userId: id }),
  z.strictObject({ kind: z.literal('deleted') }),
  z.strictObject({ kind: z.literal('unreadable'), type: z.string(), reason: z.string() }),
]);

const timeline = {
  message_id: id,
  sender_id: id.nullable(),
  steps: z.array(
    z.strictObject({
      position,
      eventId: z.string(),
      at: milliseconds,
      actorId: id.nullable(),
      client: z.string(),
      erased: z.boolean(),
      change: lifeChange,
      sentence: z.string().nullable().optional(),
      renderedContent: z.string().nullable().optional(),
      cut: z.literal(true).optional(),
      event: z.unknown().optional(),
    }),
  ),
} as const;

/** Answered by `GET audit/messages/{message_id}/history`. */
export const messageTimelineReply = timeline;

/** Answered by `GET audit/messages/{message_id}/history`. */
export const messageViewsReply = {
  ...timeline,
  viewer_id: id,
  views: z.array(
    z.strictObject({
      position,
      at: milliseconds,
      message: z
        .strictObject({
          content: z.string(),
          subject: z.string(),
          stream_id: id.optional(),
          flags: z.array(z.string()),
        })
        .nullable()
        .describe('Null: the person could not see the message'),
    }),
  ),
  views_cut: z
    .boolean()
    .describe('Whether later views were left out, because one reply has no room for them'),
};

/** A moment of the log. */
export const place = z.strictObject({ position, time: milliseconds });

/** Answered by `GET audit/messages/{message_id}/who-could-see`, `GET audit/messages/{message_id}/readers`. */
export const audienceReply = {
  message_id: id,
  as_of: place,
  count: z.int(),
  people: z.array(
    z.strictObject({
      user_id: id,
      full_name: z.string().nullable(),
      access: z.enum(['received', 'historical']),
      has_read: z.boolean(),
      is_sender: z.boolean(),
      marked_read: z.boolean().describe('Whether it counts as read for them although they did not read it'),
      read_at: milliseconds
        .nullable()
        .describe('When they marked it as read, or starred it; null: they did neither, or only sent it'),
      read_position: position.nullable().describe('The position of the event that says so'),
    }),
  ),
  after: id.nullable(),
};

/** Answered by `GET audit/access`. */
export const auditAccessReply = {
  user_id: id,
  full_name: z.string(),
  organization: z.string(),
  may_audit: z.boolean(),
  may_operate: z.boolean(),
};

/** Answered by `GET audit/event_types`. */
export const eventTypesReply = {
  event_types: z.array(z.strictObject({ type: z.string(), description: z.string() })),
};

const nextName = id.nullable().describe('The id to request the next page with, as `after`');

/** Answered by `GET audit/people`. */
export const auditedPeopleReply = {
  people: z.array(
    z.strictObject({ user_id: id, full_name: z.string(), is_bot: z.boolean(), is_active: z.boolean() }),
  ),
  after: nextName,
};

/** Answered by `GET audit/channels`. */
export const auditedChannelsReply = {
  channels: z.array(
    z.strictObject({ channel_id: id, name: z.string(), is_private: z.boolean(), is_archived: z.boolean() }),
  ),
  after: nextName,
};
