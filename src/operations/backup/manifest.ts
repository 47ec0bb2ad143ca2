import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { OperatorError } from '../../kernel/errors.js';

/** A file that a backup consists of, as it is stored: compressed and encrypted as the end of its name says. */
const pieceSchema = z.strictObject({
  /** `pieces/<id of the backup that wrote it>/<number>`, then `.gz` and `.age` where they hold. */
  name: z.string().regex(/^pieces\/[\dTZ-]+\/\d+(?:\.gz)?(?:\.age)?$/),
  bytes: z.number().int().nonnegative(),
  /** Of the stored bytes, hexadecimal: damage is found without the key that decrypts them. */
  sha256: z.string().regex(/^[\da-f]{64}$/),
});

/** A stretch of the log: events of positions `after < position <= through`. */
const sliceSchema = z.strictObject({
  after: z.number().int().nonnegative(),
  through: z.number().int().positive(),
  events: z.number().int().positive(),
  /** Id of its last event: whether another log is the same one up to there. */
  lastId: z.string(),
  piece: pieceSchema,
});

/** What a data directory gets of a backup, by name; anything else is refused when it is restored. */
const fileSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^(?:(?:keys|credentials)\.sqlite|(?:server|seal)\.key|models\/[\w:-]+\.sqlite|files\/\w[\w-]*(?:[/.]\w[\w-]*)*)$/,
    ),
  piece: pieceSchema,
});

/** What a backup consists of: `backups/<id>.json`. Nothing that anybody wrote stands in it. */
export const manifestSchema = z.strictObject({
  format: z.literal('palimpsest-backup'),
  version: z.literal(2),
  id: z.string().regex(/^[\dTZ-]+$/),
  /** ISO 8601. */
  madeAt: z.string(),
  /** Version of the program that made it. */
  program: z.string(),
  /** The public key that its pieces are encrypted to; null: they are not. */
  recipient: z.string().nullable(),
  /** Which `server.key` opens it; whether it is in it as well. */
  serverKey: z.strictObject({ id: z.string(), included: z.boolean() }),
  log: z.strictObject({
    /** Position of the last event; 0: there is none. */
    position: z.number().int().nonnegative(),
    slices: z.array(sliceSchema),
    /** The record of the log's end, as the log holds it. */
    end: pieceSchema.nullable(),
  }),
  files: z.array(fileSchema),
});

export type Piece = z.infer<typeof pieceSchema>;
export type LogSlice = z.infer<typeof sliceSchema>;
export type Manifest = z.infer<typeof manifestSchema>;

/** Every piece that a backup needs. */
export function piecesOf({ log, files }: Manifest): readonly Piece[] {
  const end = log.end === null ? [] : [log.end];
  return [...log.slices.map(({ piece }) => piece), ...end, ...files.map(({ piece }) => piece)];
}

/** A backup cannot be made or restored here. The message is a sentence for the operator. */
export class BackupRefusedError extends OperatorError {
  override readonly name = 'BackupRefusedError';
}

/** SHA-256 of a file, hexadecimal. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
