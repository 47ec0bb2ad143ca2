import type { FastifyInstance } from 'fastify';
import { AppModule } from '../../app.module.js';
import { API_PREFIX, createHttpApplication } from '../../http/server/http-application.js';
import type { PastNode } from './past-node.js';

/** A query of the API, and who sends it. */
export interface PastQuery {
  readonly userId: number;
  /** Path without the API's prefix, such as `users/me/subscriptions`. */
  readonly path: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** What the API answers. */
export interface PastAnswer {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}

/** The API as it would have answered: any GET of it. */
export interface PastApi {
  ask(query: PastQuery): Promise<PastAnswer>;
  close(): Promise<void>;
}

/** Of no meaning; only keys of this form are looked at. */
const ANY_KEY = 'x'.repeat(32);

/** Makes the whole application, as the server runs it, over a node of the past. It listens nowhere. */
export async function openPastApi(node: PastNode): Promise<PastApi> {
  const application = await createHttpApplication(AppModule.register(node), node.configuration, node.logger);
  await application.init();
  const fastify: FastifyInstance = application.getHttpAdapter().getInstance();
  await fastify.ready();
  return {
    ask: async ({ userId, path, parameters }) => {
      const query = new URLSearchParams(Object.fromEntries(parameters)).toString();
      const { statusCode, body } = await fastify.inject({
        method: 'GET',
        url: `/${API_PREFIX}/${path.replace(/^\/+/, '')}${query === '' ? '' : `?${query}`}`,
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
