import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from 'node:querystring';
import { failure } from '../kernel/errors.js';

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
  fastify.addHook('preValidation', async (request) => {
    if (request.isMultipart() && request.routeOptions.config.acceptsFiles !== true) {
      request.body = await readMultipartFields(request);
    }
  });
}

/** Whether url-encoded text holds more fields than a request may have. */
export function hasTooManyFields(text: string): boolean {
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) fields += 1;
  return fields > MAX_FIELDS;
}

async function readMultipartFields(request: FastifyRequest): Promise<FormFields> {
  const fields: FormFields = Object.create(null) as FormFields;
  let size = 0;
  for await (const part of request.parts({ limits: { files: 0 } })) {
    if (part.type === 'file') throw failure('badRequest', { reason: `Unexpected file '${part.fieldname}'` });
    const text = typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
    size += part.fieldname.length + Buffer.byteLength(text);
    if (size > MAX_BODY_BYTES || part.valueTruncated || part.fieldnameTruncated)
      throw failure('requestTooLarge');
    fields[part.fieldname] = text;
  }
  return fields;
}
