import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

/** Operator commands for read models, reactors and snapshots. */
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

/** Stream `operations`. It is recorded before the command runs, which may still fail. */
export const ModelOperationOrdered = defineEvent({
  type: 'ModelOperationOrdered',
  description: 'An operator requested an operation on a read model, a reactor or the snapshots of state.',
  schema: z.strictObject({
    operation: z.enum(modelOperations),
    /** A reactor is named `reactor:<name>`; null: the command is not about a single one. */
    projection: z.string().nullable(),
    /** The event that the command is about; null: none, or all dead letters. */
    eventId: z.string().nullable(),
    /** The operating system's account that used the command line; null: the owner who is the actor. */
    operator: z.string().nullable(),
  }),
  example: { operation: 'rebuild', projection: 'messages', eventId: null, operator: null },
});

export const operationEvents = [ModelOperationOrdered] as const;

export type OperationEvent = EventOf<(typeof operationEvents)[number]>;

/** The stream of operator commands. */
export const OPERATIONS_STREAM = 'operations';
