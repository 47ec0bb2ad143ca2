import mime from 'mime';
import { ORGANIZATION_NUMBER } from '../../kernel/api-constants.js';
import { budgets } from '../../kernel/budgets.js';
import { compatibilityForm } from '../../kernel/text.js';

/** Path of the files of uploads. */
export const UPLOADS_PATH = '/user_uploads/';

/** Maximum length of a file's name in its URL, in characters. */
const MAX_NAME_LENGTH = 200;

/**
 * How much of the end of a name is read, in UTF-16 units. Names are shorter, except for those of uploads before names
 * had a limit.
 */
const MAX_READ_LENGTH = 600;

/**
 * The name of a stored file.
 *
 * @param random 20 random bytes, as 40 hexadecimal digits
 */
export function storageNameOf(random: string): string {
  return `${ORGANIZATION_NUMBER}/${random.slice(0, 2)}/${random.slice(2)}`;
}

/** The path of a file below {@link UPLOADS_PATH}: the API's `path_id`. */
export function uploadPathId({
  storageName,
  name,
}: {
  readonly storageName: string;
  readonly name: string;
}): string {
  return `${storageName}/${safeFileName(name)}`;
}

/** The path of a file on this server. */
export function uploadUrl(upload: { readonly storageName: string; readonly name: string }): string {
  return `${UPLOADS_PATH}${uploadPathId(upload)}`;
}

/** The name of the stored file in a `path_id`. */
export function storageNameOfPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

const STORED_FILE = `${ORGANIZATION_NUMBER}/[0-9a-f]{2}/[0-9a-f]{38}`;
const inAddress = new RegExp(`^([^?#]*?${UPLOADS_PATH}${STORED_FILE})/`);
const anywhere = new RegExp(`${UPLOADS_PATH}(${STORED_FILE})/`, 'g');

/**
 * The part of a URL in a message that identifies a stored file, without the file's name; null when the URL is
 * no upload's.
 */
export function placeIn(address: string): string | null {
  return inAddress.exec(address)?.[1] ?? null;
}

/**
 * The texts that {@link placeIn} finds in URLs of a stored file, which may be relative or absolute.
 *
 * @param site the server's address, without a trailing slash
 */
export function placesOf(storageName: string, site: string): readonly string[] {
  const path = `${UPLOADS_PATH}${storageName}`;
  return [path, `${site}${path}`];
}

/** The names of stored files that a text may contain, each once, in links or not. */
export function storageNamesIn(text: string): readonly string[] {
  if (!text.includes(UPLOADS_PATH)) return [];
  return [...new Set([...text.matchAll(anywhere)].flatMap(([, name]) => name ?? []))];
}

/** What may follow the last dot of a name and be kept when the name is cut. */
const extension = /\.[^.\s/\\]{1,20}$/u;

/**
 * A name of at most `budgets.uploadName`: a longer one is cut in front of its extension, which tells people and
 * programs what the file is.
 */
export function shortName(name: string): string {
  const { max } = budgets.uploadName;
  // A character has at most two UTF-16 units: no more of a long name has to be read to know that it is too long.
  const characters = [...name.slice(0, 2 * max + 1)];
  if (characters.length <= max) return name;
  const [end = ''] = extension.exec(name.slice(-MAX_READ_LENGTH)) ?? [];
  return characters.slice(0, max - [...end].length).join('') + end;
}

/** The name of a new upload, from the name that its uploader gave it. */
export function uploadNameOf(given: string): string {
  return shortName(given.trim()) || 'uploaded-file';
}

/** A file's name for use in a URL: letters, digits, `_`, `.` and `-`, at least one of them. */
export function safeFileName(name: string): string {
  const plain = compatibilityForm(name.slice(-MAX_READ_LENGTH))
    .replace(/[^\p{L}\p{N}_\s.-]/gu, '')
    .trim()
    .replace(/[-\s]+/g, '-');
  const short = [...plain].slice(-MAX_NAME_LENGTH).join('');
  return /^\.*$/.test(short) ? 'uploaded-file' : short;
}

/** A media type without parameters (RFC 9110, section 8.3). */
const wellFormed = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,100}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}$/;

const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Types that clients send for a file whose type they do not know: `text/plain` is the default for a part of a form (RFC
 * 7578, section 4.4).
 */
const undeclared: ReadonlySet<string> = new Set([UNKNOWN_TYPE, 'text/plain']);

/** The content type of a file: declared by the client, else derived from its name. */
export function contentTypeOf(declared: string, fileName: string): string {
  const type = declared.trim().toLowerCase();
  if (wellFormed.test(type) && !undeclared.has(type)) return type;
  return mime.getType(fileName) ?? (type === 'text/plain' && !fileName.includes('.') ? type : UNKNOWN_TYPE);
}
