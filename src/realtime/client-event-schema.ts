import { z } from 'zod';
import { named } from '../http/replies/common-schemas.js';
import { HEARTBEAT } from './queues/queue-options.js';

/** The schema of a client event, with the id that the queue gives it. */
export type ClientEventSchema = z.ZodObject;

/**
 * Declares the schema of a client event. The OpenAPI document names it by type and operation:
 * `ReactionAddEvent`.
 *
 * @param op null: the event has no operation
 */
export function clientEvent(type: string, op: string | null, members: z.ZodRawShape): ClientEventSchema {
  const schema = z.strictObject({
    id: z.int().describe('The ids within a queue increase, not necessarily by 1'),
    type: z.literal(type),
    ...(op !== null && { op: z.literal(op) }),
    ...members,
  });
  return named(`${inPascalCase(`${type}_${op ?? ''}`)}Event`, schema);
}

/**
 * The schemas of all contexts: of their client events, and of their members of the reply to `POST /register`.
 */
export class DescribedContexts {
  constructor(
    readonly events: readonly ClientEventSchema[],
    readonly state: z.ZodRawShape,
  ) {}
}

/** Schemas of the events that queues add themselves: heartbeats. */
export const queueEventSchemas: readonly ClientEventSchema[] = [clientEvent(HEARTBEAT, null, {})];

function inPascalCase(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
