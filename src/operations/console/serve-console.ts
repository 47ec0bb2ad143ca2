import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleFiles } from './console-files.js';

/** The path of the console. */
const CONSOLE_PATH = '/console';

/** The path of the operators' page in earlier versions. */
const FORMER_PATH = '/ops';

/** The console loads scripts and styles only from its own files, and sends requests only to this server. */
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

/** The folder of the built console, next to the program. */
const BUILT_CONSOLE = fileURLToPath(new URL('../../../console', import.meta.url));

/**
 * Serves the web console. The files contain no data: the console calls the API with the key of the person who signs
 * in. Paths below it that are not files get the console's document, because the console does its own routing.
 */
export function serveConsole(fastify: FastifyInstance, directory = BUILT_CONSOLE): void {
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
    // An open page of an earlier version may request a script that no longer exists: it must not get an HTML
    // document instead.
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
