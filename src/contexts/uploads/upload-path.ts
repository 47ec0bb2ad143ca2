import { randomBytes } from 'node:crypto';
import { organizationNumber } from '../../kernel/api-constants.js';

/** The path under which the files of uploads are served. */
export const uploadsPath = '/user_uploads/';

/** How long a file's name may be in its address, in characters. */
const maxNameLength = 200;

/** Names the place of a new file: nobody guesses it. */
export function newStorageName(): string {
  return storageNameOf(randomBytes(20).toString('hex'));
}

/** @param random 20 random bytes, as 40 hexadecimal digits */
export function storageNameOf(random: string): string {
  return `${organizationNumber}/${random.slice(0, 2)}/${random.slice(2)}`;
}

/** Where a file is found below {@link uploadsPath}: what the API calls its `path_id`. */
export function uploadPathId({
  storageName,
  name,
}: {
  readonly storageName: string;
  readonly name: string;
}): string {
  return `${storageName}/${safeFileName(name)}`;
}

/** Where a file is served on this server. */
export function uploadUrl(upload: { readonly storageName: string; readonly name: string }): string {
  return `${uploadsPath}${uploadPathId(upload)}`;
}

/** The stored file that a `path_id` begins with. */
export function storageNameOfPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

const storedFile = `${organizationNumber}/[0-9a-f]{2}/[0-9a-f]{38}`;
const inAddress = new RegExp(`^([^?#]*?${uploadsPath}${storedFile})/`);
const anywhere = new RegExp(`${uploadsPath}(${storedFile})/`, 'g');

/** The part of an address in a message that names a stored file, all but the name of the file; null when it names none. */
export function placeIn(address: string): string | null {
  return inAddress.exec(address)?.[1] ?? null;
}

/**
 * What {@link placeIn} finds in the addresses of a stored file: they may be relative, or begin with where this server is.
 *
 * @param site where clients reach this server, without a final slash
 */
export function placesOf(storageName: string, site: string): readonly string[] {
  const path = `${uploadsPath}${storageName}`;
  return [path, `${site}${path}`];
}

/** The stored files that a text may name, each once, whether or not in links. */
export function storageNamesIn(text: string): readonly string[] {
  if (!text.includes(uploadsPath)) return [];
  return [...new Set([...text.matchAll(anywhere)].flatMap(([, name]) => name ?? []))];
}

/** A file's name as part of an address: letters, digits, `_`, `.` and `-`, at least one of them. */
export function safeFileName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-');
  const short = [...plain].slice(-maxNameLength).join('');
  return /^\.*$/.test(short) ? 'uploaded-file' : short;
}
