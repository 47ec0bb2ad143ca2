import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { failure } from '../../kernel/errors.js';
import { hasTooManyFields, parseForm } from '../form.js';
import { MAX_BODY_BYTES } from './limits.js';
import { readMultipart } from './multipart.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint reads a multipart body, or a part of a file, itself from `request.raw`, because it wants its files. */
    readonly acceptsFiles?: boolean;
    /** A body that is no form is the parameter `payload`, as text. */
    readonly keepsBody?: boolean;
  }
}

/**
 * Registers how bodies are read: forms in both encodings, on every verb. A body of any other type is bounded and
 * dropped, since no client sends one on purpose.
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
  fastify.addContentTypeParser(
    'multipart/form-data',
    async (request: FastifyRequest, body: IncomingMessage) => {
      if (request.routeOptions.config.acceptsFiles === true) return undefined;
      return readMultipart(body, request.headers, MAX_BODY_BYTES);
    },
  );
  fastify.addContentTypeParser(
    'application/offset+octet-stream',
    async (request: FastifyRequest, body: IncomingMessage) => {
      if (request.routeOptions.config.acceptsFiles !== true) await drop(body);
      return undefined;
    },
  );
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    const isKept = request.routeOptions.config.keepsBody === true;
    done(null, isKept ? { payload: body.toString() } : undefined);
  });
  // A form is read wherever it comes, also where the server would take a body for a mistake.
  fastify.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
}

/** Reads a body to its end, for nobody. @throws ApplicationError `requestTooLarge` */
async function drop(body: IncomingMessage): Promise<void> {
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw failure('requestTooLarge');
  }
}
