import type { INestApplicationContext } from '@nestjs/common';
import { z } from 'zod';
import type { ReplyFields } from '../http/replies/reply.decorator.js';
import { DescribedContexts, queueEventSchemas } from './client-event-schema.js';

/** The part of the reply to `POST /register` that does not depend on the request; contexts add the rest. */
const registered = {
  queue_id: z.string(),
  last_event_id: z.int().describe('To be sent with the first `GET /events`'),
  zulip_version: z.string(),
  zulip_merge_base: z.string(),
  zulip_feature_level: z.int(),
  idle_queue_timeout_secs: z.int().describe('After how long without a request the queue is forgotten'),
} as const;

/**
 * The reply to `POST /register`: its members depend on `fetch_event_types` and on the client's capabilities.
 */
export function registerReply(application: INestApplicationContext): ReplyFields {
  return { ...registered, ...application.get(DescribedContexts, { strict: false }).state };
}

/** The events of a queue, each by the schema of its type and operation. */
export function eventsReply(application: INestApplicationContext): ReplyFields {
  const { events } = application.get(DescribedContexts, { strict: false });
  return {
    queue_id: z.string(),
    events: z.array(z.union([...queueEventSchemas, ...events])).describe('In the order of their ids'),
  };
}
