import { z } from 'zod';
import { seconds, secondsOrNever } from '../../http/replies/common-schemas.js';
import { named, type Described } from '../../http/replies/named-schema.js';

const count = z.int();

/** A copy of everything that is stored about somebody. */
export const ownDataSchema = named(
  'OwnDataExport',
  z.strictObject({
    state: z.enum(['running', 'done', 'failed']),
    progress: z.number().min(0).max(1),
    began: seconds,
    ended: secondsOrNever,
    result: z
      .strictObject({
        bytes: count,
        sha256: z.string().describe('Of the whole file, hexadecimal'),
        messages: count,
        versions: count,
        events: count,
        files: count,
        missing_files: count,
        unreadable_events: count,
      })
      .nullable()
      .describe('Null: it is not done'),
    error: z.string().nullable(),
    expires: secondsOrNever.describe('Until when it can be downloaded; null: it is not made'),
  }),
);

export type OwnDataObject = Described<typeof ownDataSchema>;

/** Answered by `POST users/me/data_export`. */
export const begunOwnDataReply = { export: ownDataSchema };

/** Answered by `GET users/me/data_export`. */
export const ownDataReply = { export: ownDataSchema.nullable().describe('Null: none is remembered') };
