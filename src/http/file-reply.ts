import type { FastifyReply } from 'fastify';
import mime from 'mime';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { ByteRange } from '../stores/file-store/port.js';
import { failure } from '../kernel/errors.js';

/** A file as a reply. */
export interface ServedFile {
  /** Also the name under which browsers save it. */
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Whether a browser is to save it rather than show it, whatever its type. */
  readonly isDownload: boolean;
  /** The `cache-control` header; null: no caching, as for every other reply. */
  readonly cacheControl: string | null;
  /** Opens its bytes, or a range of them. */
  readonly open: (range: ByteRange | null) => Promise<Readable>;
}

/** Size and content of a file on this machine. */
export async function fileOnDisk(path: string): Promise<Pick<ServedFile, 'size' | 'open'>> {
  const { size } = await stat(path);
  const part = (range: ByteRange | null): object =>
    range === null ? {} : { start: range.from, end: range.through };
  return { size, open: (range) => Promise.resolve(createReadStream(path, part(range))) };
}

/**
 * Prevents uploaded content from running scripts, embedding or sending anything, in whatever page it is
 * opened.
 */
const contentSecurityPolicy =
  "default-src 'none'; img-src 'self'; media-src 'self'; object-src 'self'; style-src 'unsafe-inline'; sandbox";

/** Types that a browser shows without running anything; all others are saved. */
const shown = /^(audio\/|video\/|image\/(?!svg)|text\/plain$|application\/pdf$)/;

/** Replies with a file, or with the requested range of it. */
export async function replyWithFile(reply: FastifyReply, file: ServedFile): Promise<void> {
  const { contentType, size, cacheControl } = file;
  const range = requestedRange(reply.request.headers.range, size);
  reply.header('accept-ranges', 'bytes');
  if (range === 'unsatisfiable') {
    await reply.status(416).header('content-range', `bytes */${size}`).send();
    return;
  }
  const content = await file.open(range);
  if (cacheControl !== null) reply.header('cache-control', cacheControl);
  reply
    .header('content-type', contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType)
    .header('content-disposition', dispositionOf(file))
    .header('content-security-policy', contentSecurityPolicy)
    .header('content-length', range === null ? size : range.through - range.from + 1);
  if (range !== null) {
    reply.status(206).header('content-range', `bytes ${range.from}-${range.through}/${size}`);
  }
  await reply.send(content);
}

/** Replies with an image whose address changes whenever the image does; null: it was erased. */
export async function replyWithImage(
  reply: FastifyReply,
  fileName: string,
  content: Readable | null,
): Promise<void> {
  if (content === null) throw failure('noSuchFile');
  await reply
    .header('content-type', mime.getType(fileName) ?? 'application/octet-stream')
    .header('content-security-policy', contentSecurityPolicy)
    .header('cache-control', 'public, max-age=31536000, immutable')
    .send(content);
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
function dispositionOf({ contentType, isDownload, fileName }: ServedFile): string {
  const kind = isDownload || !shown.test(contentType) ? 'attachment' : 'inline';
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(/['()*]/g, percentEncoded);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
