import type { FastifyInstance } from 'fastify';
import { AppModule } from '../app.module.js';
import { API_PREFIX, createHttpApplication } from '../http/server/http-application.js';
import { failure, type ApplicationError } from '../kernel/errors.js';
import type { PastAnswer, PastApi, PastQuery } from '../audit/past/past-api.js';
import type { PastNode } from './past-node.js';

/** Paths of the API that are only about the present, with the data that the log does not contain. */
const notInLog: readonly (readonly [RegExp, string])[] = [
  [/^realm\/(?:icon|logo)$/, 'pictures of the organization'],
  [/^(bots\/\d+\/api_key|users\/me\/api_keys)$/, 'API keys'],
  [/^(users\/[^/]+|realm)\/presence$/, 'who was here'],
  [/^events$/, 'event queues'],
  [/^audit\/projections$/, 'how read models were doing'],
  [/^audit\/(?:operations|overview)$/, 'how the server was doing'],
  [/^users\/me\/second_factor$/, 'second factors'],
  [/^users\/me\/data_export/, 'copies of what is stored about people'],
  [/^user_uploads\//, 'links to files'],
  [/^thumbnail\//, 'links to files'],
];

/** A key without meaning: the server ignores keys of any other form. */
const ANY_KEY = 'x'.repeat(32);

/** Creates the whole application over a node of the past. It does not listen on any port. */
export async function openPastApi(node: PastNode): Promise<PastApi> {
  const application = await createHttpApplication(AppModule.register(node), node.configuration, node.logger);
  await application.init();
  const fastify: FastifyInstance = application.getHttpAdapter().getInstance();
  await fastify.ready();
  return {
    ask: async ({ userId, ...query }) => {
      const { path, search } = addressOf(query);
      const absent = notInLog.find(([pattern]) => pattern.test(path));
      if (absent !== undefined) return refusal(failure('notInLog', { reason: absent[1] }));
      const { statusCode, body } = await fastify.inject({
        method: 'GET',
        url: `/${API_PREFIX}/${path}${search}`,
        headers: {
          authorization: `Basic ${Buffer.from(`${userId}:${ANY_KEY}`).toString('base64')}`,
          'user-agent': 'palimpsest-audit',
        },
      });
      return { status: statusCode, body };
    },
    close: () => application.close(),
  };
}

/** Any base URL: only the path and the query are used. */
const ANY_SITE = 'http://localhost/';

function addressOf({ path, parameters }: Pick<PastQuery, 'path' | 'parameters'>): {
  /** Without the prefix of the API. */
  readonly path: string;
  /** Empty, or the query string with its question mark. */
  readonly search: string;
} {
  const url = new URL(/^https?:/.test(path) ? path : path.replace(/^\/*/, '/'), ANY_SITE);
  for (const [name, value] of parameters) url.searchParams.append(name, value);
  return { path: url.pathname.slice(1).replace(`${API_PREFIX}/`, ''), search: url.search };
}

function refusal({ status, code, message: msg }: ApplicationError): PastAnswer {
  return { status, body: JSON.stringify({ result: 'error', msg, code }) };
}
