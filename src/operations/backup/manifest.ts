import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { OperatorError } from '../../kernel/errors.js';

/** A file of a backup, as it is stored. The end of its name tells whether it is compressed and encrypted. */
const pieceSchema = z.strictObject({
  /** `pieces/<id of the backup that wrote it>/<number>`, then `.gz` if compressed and `.age` if encrypted. */
  name: z.string().regex(/^pieces\/[\dTZ-]+\/\d+(?:\.gz)?(?:\.age)?$/),
  bytes: z.number().int().nonnegative(),
  /** SHA-256 of the stored bytes, hexadecimal: damage is detected without the key that decrypts them. */
  sha256: z.string().regex(/^[\da-f]{64}$/),
});

/** A part of the log: the events with positions `after < position <= through`. */
const sliceSchema = z.strictObject({
  after: z.number().int().nonnegative(),
  through: z.number().int().positive(),
  events: z.number().int().positive(),
  /** Id of the last event. It tells whether another log is the same up to that position. */
  lastId: z.string(),
  piece: pieceSchema,
});

/** The names of the files that a restore may write to a data directory; all others are refused. */
const fileSchema = z.strictObject({
  name: z
    .string()
    .regex(
      /^(?:(?:keys|credentials)\.sqlite|(?:server|seal)\.key|models\/[\w:-]+\.sqlite|files\/\w[\w-]*(?:[/.]\w[\w-]*)*)$/,
    ),
  piece: pieceSchema,
});

/** The manifest of a backup, `backups/<id>.json`. It contains nothing that a person wrote. */
export const manifestSchema = z.strictObject({
  format: z.literal('palimpsest-backup'),
  version: z.literal(2),
  id: z.string().regex(/^[\dTZ-]+$/),
  /** ISO 8601. */
  madeAt: z.string(),
  /** Version of the program that made the backup. */
  program: z.string(),
  /** The age public key that the pieces are encrypted to; null: not encrypted. */
  recipient: z.string().nullable(),
  /** The id of the `server.key` that decrypts the backup, and whether the backup includes it. */
  serverKey: z.strictObject({ id: z.string(), included: z.boolean() }),
  log: z.strictObject({
    /** Position of the last event; 0: the log is empty. */
    position: z.number().int().nonnegative(),
    slices: z.array(sliceSchema),
    /** The log's record of its own end; null: the log has none. */
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

/** A backup that cannot be made or restored. The message is a sentence for the operator. */
export class BackupRefusedError extends OperatorError {
  override readonly name = 'BackupRefusedError';
}

/** SHA-256 of a file, hexadecimal. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
