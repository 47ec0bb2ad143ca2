import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { RequestLimits } from '../limits/request-limits.js';
import { tryOutDocument } from './try-out-document.js';

/** Path of the API's documentation page. */
const DOCUMENTATION_PATH = '/api/docs';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Everything that the page loads, all of it from this server. */
const assets: Readonly<Record<string, string>> = {
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
    <link rel="service-desc" type="application/json" href="docs-json">
  </head>
  <body>
    <p class="swagger-ui" style="margin: 1em 2em">
      All of this as an OpenAPI document: <a href="docs-json" download="palimpsest-openapi.json">/api/docs-json</a>
    </p>
    <div id="page"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/**
 * Swagger UI sends empty form fields unless its box "Send empty value" is cleared: here it starts cleared.
 */
const START = `const leaveEmptyFieldsOut = ({ React }) => ({
  wrapComponents: {
    ParameterIncludeEmpty: (Original) => (props) =>
      React.createElement(Original, {
        ...props,
        isIncludedOptions: { ...props.isIncludedOptions, defaultValue: false },
      }),
  },
});

fetch('docs/try-out.json')
  .then((response) => response.json())
  .then((spec) =>
    SwaggerUIBundle({
      spec,
      dom_id: '#page',
      validatorUrl: null,
      docExpansion: 'list',
      filter: true,
      persistAuthorization: true,
      plugins: [leaveEmptyFieldsOut],
    }),
  );
`;

/** The texts of a document, as bytes that all replies share. */
interface DocumentTexts {
  /** For programs. */
  readonly whole: Buffer;
  /** For the page: see {@link tryOutDocument}. */
  readonly tryOut: Buffer;
}

/** The page may load nothing from elsewhere; Swagger UI sets styles and shows images inline. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/**
 * Serves Swagger UI at {@link DOCUMENTATION_PATH}, and its document at `/api/docs-json`: see {@link
 * tryOutDocument}. No credentials are needed, so addresses have the limit of other public endpoints.
 *
 * @param makeDocument called once, for the first reader
 */
export function registerDocumentationPage(
  fastify: FastifyInstance,
  limits: RequestLimits,
  makeDocument: () => Promise<OpenAPIObject>,
): void {
  const directory = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  let texts: Promise<DocumentTexts> | undefined;
  const documentTexts = (): Promise<DocumentTexts> => (texts ??= makeDocument().then(textsOf));
  const options: RouteShorthandOptions = {
    onRequest: (request, reply, done) => {
      limits.countRequest(request, reply);
      done();
    },
  };
  fastify.get(DOCUMENTATION_PATH, options, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(PAGE),
  );
  // The page's assets are relative to its address, so it must have only one.
  fastify.get(`${DOCUMENTATION_PATH}/`, options, async (_request, reply) => reply.redirect('../docs', 301));
  fastify.get(`${DOCUMENTATION_PATH}/try-out.json`, options, async (_request, reply) =>
    reply.type(JSON_TYPE).send((await documentTexts()).tryOut),
  );
  fastify.get(`${DOCUMENTATION_PATH}-json`, options, async (_request, reply) =>
    reply.type(JSON_TYPE).send((await documentTexts()).whole),
  );
  fastify.get(`${DOCUMENTATION_PATH}/start.js`, options, async (_request, reply) =>
    reply.type('text/javascript').send(START),
  );
  for (const [name, type] of Object.entries(assets)) {
    let bytes: Promise<Buffer> | undefined;
    fastify.get(`${DOCUMENTATION_PATH}/${name}`, options, async (_request, reply) => {
      reply.type(type).header('cache-control', 'public, max-age=3600');
      return reply.send(await (bytes ??= readFile(join(directory, name))));
    });
  }
}

function textsOf(document: OpenAPIObject): DocumentTexts {
  const bytesOf = (value: object): Buffer => Buffer.from(JSON.stringify(value));
  return { whole: bytesOf(document), tryOut: bytesOf(tryOutDocument(document)) };
}
