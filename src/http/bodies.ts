import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from 'node:querystring';
import { isRaisedByFastify } from './as-application-error.js';
import { ApplicationError, failure } from '../kernel/errors.js';

/** The most bytes of a request's body, files apart. */
export const MAX_BODY_BYTES = 1_048_576;

/** The most parameters that a body, or a query, may hold. */
export const MAX_FIELDS = 1_000;

/** The most bytes of a request line with its headers. Long because some clients put a message's content in the query. */
export const MAX_HEADER_BYTES = 131_072;

/** The most characters of one parameter in a path. */
export const MAX_PATH_PARAMETER_LENGTH = 4_096;

/** The texts of a form or a query by name; a name that was sent more than once has several. */
export type FormFields = Record<string, string | string[] | undefined>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint reads files itself, so the body of its requests is left unread. */
    readonly acceptsFiles?: boolean;
  }
}

/** Reads url-encoded text: never fails, whatever it holds. The result has no prototype. */
export function parseForm(text: string): FormFields {
  return parse(text, '&', '=', { maxKeys: MAX_FIELDS });
}

/**
 * Registers how bodies are read: forms in both encodings, on every verb. A body of any other type is bounded and
 * dropped, since no client sends one on purpose.
 */
export async function registerBodies(fastify: FastifyInstance): Promise<void> {
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
  await fastify.register(multipart, {
    throwFileSizeLimit: true,
    limits: { fields: MAX_FIELDS, fieldNameSize: 200, fieldSize: MAX_BODY_BYTES, headerPairs: 50 },
  });
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (!request.isMultipart() || request.routeOptions.config.acceptsFiles === true) return done();
    readMultipart(request).then(
      (fields) => {
        request.body = fields;
        done();
      },
      (error: Error) => done(isRaisedByFastify(error) ? error : asMalformed(error)),
    );
  });
  // A form is read wherever it comes, also where the server would take a body for a mistake.
  fastify.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
}

/** Whether url-encoded text holds more fields than a request may have. */
export function hasTooManyFields(text: string): boolean {
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) fields += 1;
  return fields > MAX_FIELDS;
}

/** What the multipart reader has read waits in memory for its consumer, so the bytes are counted before it. */
async function readMultipart(request: FastifyRequest): Promise<FormFields> {
  const { raw } = request;
  let bytes = 0;
  let refuse: (error: Error) => void;
  const refused = new Promise<never>((_resolve, reject) => (refuse = reject));
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) return;
    raw.unpipe();
    raw.resume();
    refuse(failure('requestTooLarge'));
  });
  return Promise.race([readFields(request), refused]);
}

/** What the parser beneath says of bytes that are no multipart body has no code. */
function asMalformed(error: Error): Error {
  return error instanceof ApplicationError
    ? error
    : failure('badRequest', { reason: 'Malformed multipart body' });
}

async function readFields(request: FastifyRequest): Promise<FormFields> {
  const fields: FormFields = Object.create(null) as FormFields;
  for await (const part of request.parts({ limits: { files: 0 } })) {
    if (part.type !== 'field' || part.valueTruncated || part.fieldnameTruncated)
      throw failure('requestTooLarge');
    // A part that calls itself JSON was parsed already.
    fields[part.fieldname] = typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
  }
  return fields;
}
