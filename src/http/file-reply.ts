import type { FastifyReply } from 'fastify';
import mime from 'mime';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { EncryptedFiles, StoredFile } from '../stores/file-store/encrypted-files.js';
import type { ByteRange } from '../stores/file-store/port.js';
import { failure } from '../kernel/errors.js';
import { openForReply } from './open-files.js';

/** What replies say about a file. */
interface FileDescription {
  /** Also the name under which browsers save it. */
  readonly fileName: string;
  readonly contentType: string;
  /** Whether a browser is to save it rather than show it, whatever its type. */
  readonly isDownload: boolean;
  /** The `cache-control` header; null: no caching, as for every other reply. */
  readonly cacheControl: string | null;
}

/** A file as a reply. */
export interface ServedFile extends FileDescription {
  /** Bytes. */
  readonly size: number;
  /** Opens its bytes, or a range of them. */
  readonly open: (range: ByteRange | null) => Promise<Readable>;
  /** Fails as `open` would, as far as this is known without opening the file. Absent: nothing is known. */
  readonly assertExists?: () => Promise<void>;
}

/**
 * Size and content of a file on this machine.
 *
 * @param missing makes the error where the file was removed meanwhile
 */
export async function fileOnDisk(
  path: string,
  missing: () => Error,
): Promise<Pick<ServedFile, 'size' | 'open'>> {
  const unlessMissing = (error: NodeJS.ErrnoException): never => {
    throw error.code === 'ENOENT' ? missing() : error;
  };
  const { size } = await stat(path).catch(unlessMissing);
  return {
    size,
    open: async (range) => {
      const fd = await open(path, 'r').catch(unlessMissing);
      return createReadStream('', { fd, ...(range && { start: range.from, end: range.through }) });
    },
  };
}

/**
 * Prevents uploaded content from running scripts, embedding or sending anything, in whatever page it is
 * opened.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'; sandbox";

/** Types that a browser shows without running anything; all others are saved. */
const shown = /^(audio\/|video\/|image\/(?!svg)|text\/plain$|application\/pdf$)/;

/** Whether a request asks only for the headers of a reply: nobody gets the content. */
export function asksOnlyForHeaders({ request }: FastifyReply): boolean {
  return request.method === 'HEAD';
}

/** Replies with a file, or with the requested range of it. A request for the headers alone does not open it. */
export async function replyWithFile(reply: FastifyReply, file: ServedFile): Promise<void> {
  await replyInRange(reply, file, async (range) => {
    if (!asksOnlyForHeaders(reply)) return openForReply(reply, () => file.open(range));
    await file.assertExists?.();
    return noContent();
  });
}

/** Replies with bytes that are in memory, or with the requested range of them. */
export async function replyWithBytes(
  reply: FastifyReply,
  description: FileDescription,
  bytes: Uint8Array,
): Promise<void> {
  await replyInRange(reply, { ...description, size: bytes.length }, (range) => {
    if (asksOnlyForHeaders(reply)) return Promise.resolve(noContent());
    return Promise.resolve(range === null ? bytes : bytes.subarray(range.from, range.through + 1));
  });
}

async function replyInRange(
  reply: FastifyReply,
  file: FileDescription & Pick<ServedFile, 'size'>,
  contentOf: (range: ByteRange | null) => Promise<Readable | Uint8Array>,
): Promise<void> {
  const { contentType, size, cacheControl } = file;
  const range = requestedRange(reply.request.headers.range, size);
  reply.header('accept-ranges', 'bytes');
  if (range === 'unsatisfiable') {
    await reply.status(416).header('content-range', `bytes */${size}`).send();
    return;
  }
  const content = await contentOf(range);
  if (cacheControl !== null) reply.header('cache-control', cacheControl);
  reply
    .header('content-type', contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType)
    .header('content-disposition', dispositionOf(file))
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('content-length', range === null ? size : range.through - range.from + 1);
  if (range !== null) {
    reply.status(206).header('content-range', `bytes ${range.from}-${range.through}/${size}`);
  }
  await reply.send(content);
}

/** A stored image as a reply. */
interface ServedImage {
  readonly fileName: string;
  readonly stored: StoredFile;
}

/**
 * Replies with an image whose address changes whenever the image does.
 *
 * @throws ApplicationError `noSuchFile` when it was erased or is missing
 */
export async function replyWithImage(
  reply: FastifyReply,
  files: EncryptedFiles,
  { fileName, stored }: ServedImage,
): Promise<void> {
  const content = asksOnlyForHeaders(reply)
    ? await headOf(files, stored)
    : await openForReply(reply, async () => (await files.openExisting(stored, null)) ?? noSuchFile());
  await reply
    .header('content-type', mime.getType(fileName) ?? 'application/octet-stream')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('content-length', stored.size)
    .send(content);
}

async function headOf(files: EncryptedFiles, stored: StoredFile): Promise<Readable> {
  return (await files.isErased(stored)) ? noSuchFile() : noContent();
}

function noSuchFile(): never {
  throw failure('noSuchFile');
}

/** The content of a reply to HEAD. Fastify keeps the length in the headers only if the content is a stream. */
function noContent(): Readable {
  return Readable.from([]);
}

/** One range of RFC 9110, section 14; several ranges, and other units, are answered with the whole file. */
export function requestedRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(' ', '') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { from: size - length, through: size - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return null;
  if (Number(first) >= size) return 'unsatisfiable';
  return { from: Number(first), through: Math.min(last === '' ? size - 1 : Number(last), size - 1) };
}

/** With the name in the two spellings of RFC 6266, because old clients read only the first. */
function dispositionOf({ contentType, isDownload, fileName }: FileDescription): string {
  const kind = isDownload || !shown.test(contentType) ? 'attachment' : 'inline';
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(/['()*]/g, percentEncoded);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
