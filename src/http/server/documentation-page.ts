import type { FastifyInstance } from 'fastify';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Where the documentation page of the API is. */
const DOCUMENTATION_PATH = '/api/docs';

/** Everything that the page loads, all of it from here. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Palimpsest API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="icon" href="docs/favicon-32x32.png">
  </head>
  <body>
    <div id="page"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '../api/docs-json',
  dom_id: '#page',
  validatorUrl: null,
  docExpansion: 'none',
  filter: true,
  persistAuthorization: true,
});
`;

/** The page may load nothing from elsewhere; Swagger UI sets styles and shows pictures inline. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/**
 * Serves Swagger UI at {@link DOCUMENTATION_PATH} and, beside it at `/api/docs-json`, the document that it shows.
 *
 * @param makeDocument called once, for the first reader
 */
export function registerDocumentationPage(
  fastify: FastifyInstance,
  makeDocument: () => Promise<object>,
): void {
  const directory = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  let document: Promise<object> | undefined;
  fastify.get(DOCUMENTATION_PATH, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(PAGE),
  );
  fastify.get(`${DOCUMENTATION_PATH}-json`, async (_request, reply) =>
    reply.send(await (document ??= makeDocument())),
  );
  fastify.get(`${DOCUMENTATION_PATH}/start.js`, async (_request, reply) =>
    reply.type('text/javascript').send(START),
  );
  for (const [name, type] of Object.entries(ASSETS)) {
    fastify.get(`${DOCUMENTATION_PATH}/${name}`, async (_request, reply) => {
      reply.type(type).header('cache-control', 'public, max-age=3600');
      return reply.send(createReadStream(join(directory, name)));
    });
  }
}
