import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleFiles } from './console-files.js';

/** Where the console is. */
const CONSOLE_PATH = '/console';

/** Where the operators' page was before there was a console. */
const FORMER_PATH = '/ops';

/** It runs nothing but its own files, has no style but theirs, and asks nobody but this server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const NOT_BUILT = 'The console is not built. Run `npm run build:console`, and start the server again.\n';

/** The console as it was built, beside the program. */
const builtConsole = fileURLToPath(new URL('../../../console', import.meta.url));

/**
 * Serves the web console. It holds no data: it asks the API with the key of whoever signs in. An address below it that is no file is
 * one of its pages, which it shows by itself.
 */
export function serveConsole(fastify: FastifyInstance, directory = builtConsole): void {
  const files = new ConsoleFiles(directory);
  const answer = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    sendFile({ files, request, reply });
  fastify.get(`${CONSOLE_PATH}/*`, answer);
  for (const path of [CONSOLE_PATH, FORMER_PATH]) {
    fastify.get(path, (_request, reply) => reply.redirect(`${CONSOLE_PATH}/`, 302));
  }
}

async function sendFile({
  files,
  request,
  reply,
}: {
  readonly files: ConsoleFiles;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}): Promise<FastifyReply> {
  if (!files.isBuilt) return reply.status(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
  const asked = (request.params as { readonly '*': string })['*'];
  if (asked.startsWith('assets/') && !files.has(asked)) {
    // A page of an earlier version asks for what is no more: it must not get a document for a script.
    return reply.status(404).type('text/plain; charset=utf-8').send('No such file.\n');
  }
  const name = files.has(asked) ? asked : 'index.html';
  const file = await files.file(name, request.headers['accept-encoding'] ?? '');
  reply
    .type(file.contentType)
    .header('vary', 'Accept-Encoding')
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (file.encoding !== 'identity') reply.header('content-encoding', file.encoding);
  return reply.send(file.bytes);
}
