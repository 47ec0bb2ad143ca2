import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What clients need to log in. */
export interface ClientCredentials {
  readonly email: string;
  readonly key: string;
  /** Address of the server. */
  readonly site: string;
}

/** Credentials as existing clients read them: an INI file. */
export function credentialsText({ email, key, site }: ClientCredentials): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
}

/** Name of the owner's file in the data directory. */
const ownerFile = 'owner.zuliprc';

/** Where the owner's credentials are written. */
export function ownerFileIn(dataDirectory: string): string {
  return join(dataDirectory, ownerFile);
}

/** Where the credentials wait that are about to replace the owner's. */
export function ownerDraftIn(dataDirectory: string): string {
  return join(dataDirectory, `${ownerFile}.reset`);
}

/** The key in a credentials file; null when there is no such file. */
export async function keyInFile(file: string): Promise<string | null> {
  try {
    return /^key=(.+)$/m.exec(await readFile(file, 'utf8'))?.[1] ?? null;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
}

/** Puts one credentials file in the place of another, durably. */
export async function moveCredentialsFile(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncDirectory(dirname(to));
}

/** Removes a credentials file, if there is one. */
export async function removeCredentialsFile(file: string): Promise<void> {
  await rm(file, { force: true });
}

/**
 * Writes credentials as existing clients read them: an INI file that nobody but the server's own user can read. It is there as a
 * whole or as it was before, whenever the machine fails.
 */
export async function writeCredentialsFile(file: string, credentials: ClientCredentials): Promise<void> {
  const temporary = `${file}.new`;
  await rm(temporary, { force: true });
  await writeDurably(temporary, credentialsText(credentials));
  await moveCredentialsFile(temporary, file);
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    // The process may have been started with a mask that takes more away, or none.
    await handle.chmod(0o600);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
