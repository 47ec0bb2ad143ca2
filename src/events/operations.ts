import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

/** What operators have done with read models, reactors and snapshots. */
export const modelOperations = [
  'rebuild',
  'verify',
  'rollback',
  'drop',
  'pause',
  'resume',
  'retry',
  'discard',
  'restore',
  'drop-snapshots',
] as const;

export type ModelOperation = (typeof modelOperations)[number];

/** Stream `operations`. It is written before anything is done; what was ordered may still fail. */
export const ModelOperationOrdered = defineEvent({
  type: 'ModelOperationOrdered',
  description: 'An operator ordered something to be done with a read model, a reactor or the snapshots.',
  schema: z.strictObject({
    operation: z.enum(modelOperations),
    /** A reactor is named `reactor:<name>`; null: it concerns none of them alone. */
    projection: z.string().nullable(),
    /** The event that it is about; null: none, or all that were given up. */
    eventId: z.string().nullable(),
    /** The account of the operating system, where the command line was used; null: the owner who is the actor. */
    operator: z.string().nullable(),
  }),
  example: { operation: 'rebuild', projection: 'messages', eventId: null, operator: null },
});

export const operationEvents = [ModelOperationOrdered] as const;

export type OperationEvent = EventOf<(typeof operationEvents)[number]>;

/** The stream that records what operators did. */
export const operationsStream = 'operations';
