import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { failure } from '../../../kernel/errors.js';
import { contentTypeOf, uploadNameOf } from '../upload-path.js';
import { MAX_UPLOAD_MEBIBYTES } from '../uploads.state.js';

/** The supported version of the protocol for resumable uploads (tus.io). */
const PROTOCOL_VERSION = '1.0.0';

/** What a client announces about a file. */
interface AnnouncedFile {
  readonly name: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
}

/** Headers that pages of another origin may read. */
const EXPOSED = 'Location, Tus-Resumable, Tus-Version, Upload-Length, Upload-Offset';

/** Base64, padded. */
const encoded = /^[A-Za-z0-9+/]*={0,2}$/;

/** Sets the protocol's version in a reply. */
export function setProtocolVersion(reply: FastifyReply): FastifyReply {
  return reply.header('tus-resumable', PROTOCOL_VERSION).header('access-control-expose-headers', EXPOSED);
}

/** Sets the supported version and extensions in a reply. */
export function describeProtocol(reply: FastifyReply): FastifyReply {
  return setProtocolVersion(reply)
    .header('tus-version', PROTOCOL_VERSION)
    .header('tus-extension', 'creation,termination')
    .header('tus-max-size', MAX_UPLOAD_MEBIBYTES * 1_048_576)
    .header('access-control-allow-methods', 'POST, HEAD, PATCH, DELETE, OPTIONS')
    .header(
      'access-control-allow-headers',
      'Authorization, Content-Type, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset',
    );
}

/** @throws ApplicationError `resumableVersion` */
export function assertProtocol(headers: IncomingHttpHeaders, reply: FastifyReply): void {
  setProtocolVersion(reply);
  if (headers['tus-resumable'] === PROTOCOL_VERSION) return;
  reply.header('tus-version', PROTOCOL_VERSION);
  throw failure('resumableVersion');
}

/**
 * @throws ApplicationError `resumableLengthMissing`, also if the length is deferred;
 * `invalidResumableMetadata`
 */
export function announcedFile(headers: IncomingHttpHeaders): AnnouncedFile {
  const size = wholeNumber(headers['upload-length']);
  if (size === null) throw failure('resumableLengthMissing');
  const metadata = metadataOf(headers['upload-metadata']);
  const name = uploadNameOf(metadata.get('filename') ?? '');
  return { name, contentType: contentTypeOf(metadata.get('filetype') ?? '', name), size };
}

/**
 * The offset at which a part begins.
 *
 * @throws ApplicationError `resumableContentType`, `resumableOffset`
 */
export function announcedOffset(headers: IncomingHttpHeaders): number {
  if (headers['content-type'] !== 'application/offset+octet-stream') throw failure('resumableContentType');
  const offset = wholeNumber(headers['upload-offset']);
  if (offset === null) throw failure('resumableOffset');
  return offset;
}

/** Pairs of a name and a base64 value, separated by commas; a value may be missing. */
function metadataOf(header: string | string[] | undefined): ReadonlyMap<string, string> {
  const pairs = [header ?? ''].flat().join(',').split(',');
  return new Map(
    pairs
      .map((pair) => pair.trim())
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [name = '', value = ''] = pair.split(' ');
        if (!encoded.test(value)) throw failure('invalidResumableMetadata');
        return [name, textOf(value)];
      }),
  );
}

function textOf(base64: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    throw failure('invalidResumableMetadata');
  }
}

function wholeNumber(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;
}
