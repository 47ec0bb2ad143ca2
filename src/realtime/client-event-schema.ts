import { z } from 'zod';
import { named } from '../http/replies/named-schema.js';
import { heartbeat } from './queues/queue-options.js';

/** What an event says to clients, with the id that the queue gives it. */
export type ClientEventSchema = z.ZodObject;

/**
 * Describes a client event. It stands in the OpenAPI document under its type and operation: `ReactionAddEvent`.
 *
 * @param op null: the event has none
 */
export function clientEvent(type: string, op: string | null, members: z.ZodRawShape): ClientEventSchema {
  const schema = z.strictObject({
    id: z.int().describe('Rises within a queue, with gaps'),
    type: z.literal(type),
    ...(op !== null && { op: z.literal(op) }),
    ...members,
  });
  return named(`${inPascalCase(`${type}_${op ?? ''}`)}Event`, schema);
}

/** What contexts tell clients, described: their events, and their members of the reply to a client that registers. */
export class DescribedContexts {
  constructor(
    readonly events: readonly ClientEventSchema[],
    readonly state: z.ZodRawShape,
  ) {}
}

/** What queues say of themselves: that they are still there. */
export const queueEventSchemas: readonly ClientEventSchema[] = [clientEvent(heartbeat, null, {})];

function inPascalCase(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
