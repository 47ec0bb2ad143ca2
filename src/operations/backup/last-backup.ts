import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * A note in the data directory about the last backup, made by the server or by a command. It tells the backup's age
 * without a request to the place where the backup is stored.
 */
const noteSchema = z.object({
  id: z.string(),
  madeAt: z.iso.datetime(),
  place: z.string(),
  position: z.number(),
  bytes: z.number(),
});

type LastBackup = z.infer<typeof noteSchema>;

function noteFile(dataDirectory: string): string {
  return join(dataDirectory, 'last-backup.json');
}

/** Records that a backup was made. */
export async function noteBackup(
  dataDirectory: string,
  { id, madeAt, place, position, bytes }: LastBackup,
): Promise<void> {
  const file = noteFile(dataDirectory);
  const note: LastBackup = { id, madeAt, place, position, bytes };
  await writeFile(`${file}.part`, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  await rename(`${file}.part`, file);
}

/** Null: no backup was made, or the note cannot be read. */
export async function lastBackup(dataDirectory: string): Promise<LastBackup | null> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(noteFile(dataDirectory), 'utf8')));
  } catch (error) {
    // A note that cannot be read counts as missing: the next backup rewrites it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
