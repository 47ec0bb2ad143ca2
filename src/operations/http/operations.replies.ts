import { z } from 'zod';
import { modelOperations } from '../../events/operations.js';
import { named } from '../../http/replies/common-schemas.js';

const milliseconds = z.int().describe('Milliseconds since the UNIX epoch');
const position = z.int().nullable();

const eventReference = z.strictObject({
  id: z.string(),
  type: z.string(),
  stream: z.string(),
  position: z.int(),
});

/** A command and its progress. */
const command = named(
  'ModelOrder',
  z.strictObject({
    id: z.string(),
    operation: z.enum(modelOperations),
    projection: z.string().nullable(),
    startedAt: milliseconds,
    endedAt: milliseconds.nullable(),
    state: z.enum(['running', 'done', 'failed']),
    progress: z.strictObject({ events: z.int(), position, head: position }).nullable(),
    outcome: z.string().nullable(),
  }),
);

const reactor = z.strictObject({
  reactor: z.string(),
  state: z.string(),
  checkpoint: position,
  lagEvents: z.int().nullable(),
  stoppedSeconds: z.number(),
  lastError: z.string().nullable(),
  poison: eventReference.nullable(),
});

/** The state of a read model. */
const projection = named(
  'ReadModel',
  z.strictObject({
    projection: z.string(),
    state: z.string().nullable(),
    version: z.int(),
    servingVersion: z.int().nullable(),
    servingLabel: z.string(),
    otherVersions: z.array(z.int()),
    checkpoint: position,
    servedCheckpoint: position,
    lagEvents: z.int(),
    lagSeconds: z.number(),
    eventsPerSecond: z.number(),
    bytes: z.int().nullable(),
    lastError: z.string().nullable(),
    poison: eventReference.nullable(),
    discarded: z.int(),
    building: z
      .strictObject({
        projection: z.string(),
        version: z.int(),
        position,
        events: z.int(),
        from: position.describe('The position at which the build began or was resumed'),
        startedAt: milliseconds,
        label: z.string(),
      })
      .nullable(),
  }),
);

const deadLetter = z.strictObject({
  projection: z.string(),
  event: eventReference,
  reason: z.string(),
  state: z.enum(['waiting', 'discarded']),
});

const problem = z.strictObject({
  level: z.enum(['act', 'watch']),
  what: z.string(),
  todo: z.string(),
  page: z.enum(['models', 'dead-letters']).nullable(),
});

const counts = z.strictObject({ mails: z.int(), notifications: z.int() });

/** Answered by `GET audit/overview`. */
export const overviewReply = {
  overview: z.strictObject({
    verdict: z.strictObject({
      level: z.enum(['well', 'act', 'watch']),
      sentence: z.string(),
      findings: z.array(problem),
    }),
    now: milliseconds,
    disk: z.strictObject({ freeBytes: z.int(), totalBytes: z.int() }),
    lastSealAt: milliseconds.nullable(),
    lastBackupAt: milliseconds.nullable(),
    queues: z.strictObject({ size: z.int(), bytes: z.int() }),
    waiting: counts,
    mailsFailed: z.int(),
    notificationsFailed: z.int(),
    startedAt: milliseconds,
    samples: z.strictObject({
      at: z.array(milliseconds),
      figures: z.record(z.string(), z.array(z.number().nullable())),
    }),
  }),
};

/** Answered by `GET audit/operations`. */
export const operationsReply = {
  orders: z.array(command),
  reactors: z.array(reactor),
  snapshots: z
    .array(
      z.strictObject({
        fold: z.string(),
        version: z.int(),
        stream: z.string(),
        revision: z.int(),
        writtenAt: z.string().describe('ISO 8601'),
        bytes: z.int(),
      }),
    )
    .optional()
    .describe('The newest 100 of them; absent if the request has `snapshots=false`'),
  snapshot_count: z
    .int()
    .optional()
    .describe('The number of all snapshots; absent if the request has `snapshots=false`'),
};

/** Answered by `POST audit/operations`. */
export const orderReply = { order: command };

/** Answered by `GET audit/projections`. */
export const readModelsReply = {
  head: position,
  projections: z.array(projection),
  dead_letters: z.array(deadLetter),
};
