import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncToDisk } from '../../runtime/data-directory.js';

/** What clients need to log in. */
export interface ClientCredentials {
  readonly email: string;
  readonly key: string;
  /** Address of the server. */
  readonly site: string;
}

/** Credentials in the format of existing clients: an INI file. */
export function credentialsText({ email, key, site }: ClientCredentials): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
}

/** Name of the owner's file in the data directory. */
const OWNER_FILE = 'owner.zuliprc';

/** Path of the owner's credentials file. */
export function ownerFileIn(dataDirectory: string): string {
  return join(dataDirectory, OWNER_FILE);
}

/** Path of the credentials that are about to replace the owner's. */
export function ownerDraftIn(dataDirectory: string): string {
  return join(dataDirectory, `${OWNER_FILE}.reset`);
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

/** Replaces one credentials file by another, durably. */
export async function moveCredentialsFile(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncToDisk(dirname(to));
}

/** Removes a credentials file, if there is one. */
export async function removeCredentialsFile(file: string): Promise<void> {
  await rm(file, { force: true });
}

/**
 * Writes credentials in the format of existing clients: an INI file that only the server's own user can read.
 * After a crash at any time, the file is either complete or as it was before.
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
    // The umask of the process may be anything.
    await handle.chmod(0o600);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
