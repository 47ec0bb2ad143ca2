import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { failure } from '../../kernel/errors.js';
import { hasTooManyFields, parseForm } from '../request-parameters.js';
import { MAX_BODY_BYTES } from './limits.js';
import { readMultipart } from './multipart.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The endpoint reads a multipart body, or a part of a file, itself from `request.raw`, because it wants
     * its files.
     */
    readonly acceptsFiles?: boolean;
    /** A body that is not a form becomes the text parameter `payload`. */
    readonly keepsBody?: boolean;
  }
}

const MULTIPART = 'multipart/form-data';
const PART_OF_UPLOAD = 'application/offset+octet-stream';

/** Whether a body may be a file: it is not collected before the request is handled, where files are accepted. */
export function mayBeFile(contentType = ''): boolean {
  const [mediaType = ''] = contentType.toLowerCase().split(';', 1);
  return [MULTIPART, PART_OF_UPLOAD].includes(mediaType.trim());
}

/**
 * Registers the body parsers: forms in both encodings, for every method. A body of any other type is bounded
 * and dropped, because no client sends one on purpose.
 */
export function registerBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      const text = body as string;
      if (hasTooManyFields(text)) done(failure('requestTooLarge'));
      else done(null, parseForm(text));
    },
  );
  fastify.addContentTypeParser(MULTIPART, async (request: FastifyRequest, body: IncomingMessage) => {
    if (request.routeOptions.config.acceptsFiles === true) return undefined;
    const { fields, hasFile } = await readMultipart(body, request.headers, MAX_BODY_BYTES);
    request.state.hasUnexpectedFile = hasFile;
    return fields;
  });
  fastify.addContentTypeParser(PART_OF_UPLOAD, async (request: FastifyRequest, body: IncomingMessage) => {
    if (request.routeOptions.config.acceptsFiles !== true) await drop(body);
    return undefined;
  });
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const isKept = request.routeOptions.config.keepsBody === true;
    done(null, isKept ? { payload: body.toString() } : undefined);
  });
  // Forms are accepted with GET too, where Fastify would ignore a body otherwise.
  fastify.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
}

/**
 * Reads a body to its end and drops it.
 *
 * @throws ApplicationError `requestTooLarge`
 */
async function drop(body: IncomingMessage): Promise<void> {
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw failure('requestTooLarge');
  }
}
