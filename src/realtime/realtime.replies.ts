import type { INestApplicationContext } from '@nestjs/common';
import { z } from 'zod';
import type { ReplyFields } from '../http/replies/reply.decorator.js';
import { DescribedContexts, queueEventSchemas } from './client-event-schema.js';

/** The part of the reply to a client that registers which does not depend on what it asks for; contexts add the rest. */
const registered = {
  queue_id: z.string(),
  last_event_id: z.int().describe('To be sent with the first `GET /events`'),
  zulip_version: z.string(),
  zulip_merge_base: z.string(),
  zulip_feature_level: z.int(),
  idle_queue_timeout_secs: z.int().describe('After how long without a request the queue is forgotten'),
} as const;

/** The reply to a client that registers: what stands there depends on `fetch_event_types` and on what the client can do. */
export function registerReply(application: INestApplicationContext): ReplyFields {
  return { ...registered, ...application.get(DescribedContexts, { strict: false }).state };
}

/** The events of a queue, each as the schema of its type and operation says. */
export function eventsReply(application: INestApplicationContext): ReplyFields {
  const { events } = application.get(DescribedContexts, { strict: false });
  return {
    queue_id: z.string(),
    events: z.array(z.union([...queueEventSchemas, ...events])).describe('In the order of their ids'),
  };
}
