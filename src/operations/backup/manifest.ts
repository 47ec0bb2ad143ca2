import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { OperatorError } from '../../kernel/operator-error.js';

/** What a backup consists of. */
export const manifestSchema = z.strictObject({
  format: z.literal('palimpsest-backup'),
  version: z.literal(1),
  /** ISO 8601. */
  madeAt: z.string(),
  files: z.array(z.strictObject({ name: z.string(), bytes: z.number(), sha256: z.string() })),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** Name of the file in a backup that says what is in it. */
export const MANIFEST = 'manifest.json';

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
