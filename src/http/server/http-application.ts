import { RequestMethod, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Configuration } from '../../config.js';
import { BasicAuthGuard } from '../authentication/basic-auth.guard.js';
import { Authenticator } from '../caller.js';
import { RateLimitGuard } from '../limits/rate-limit.guard.js';
import { RequestLimits } from '../limits/request-limits.js';
import { Draining, HealthIndicators } from '../monitoring/health.js';
import { NestLogger, type Logger } from '../monitoring/logger.js';
import { Metrics } from '../monitoring/metrics.js';
import { registerOperations } from '../monitoring/routes.js';
import { ErrorFilter } from '../reply-to-error.js';
import { registerStaticImages } from '../static-images.js';
import { registerBodies } from './bodies.js';
import { registerDocumentationPage } from './documentation-page.js';
import { answerWithSuccess } from './endpoints.js';
import { HttpAdapter } from './http-adapter.js';
import { limitPipelinedRequests } from './pipelined-requests.js';
import { registerRequestHooks } from './request-hooks.js';
import { UnfinishedRequests } from './unfinished-requests.js';
import { UnexpectedFileGuard } from './unexpected-file.guard.js';
import { registerMethodOverride, registerPathCheck } from './unrouted.js';

/** Prefix of every path of the API. */
export const API_PREFIX = 'api/v1';

/** Controllers whose paths do not get the prefix: files, and pages for browsers. */
const addressedWhole = [
  { path: '/', method: RequestMethod.GET },
  { path: 'credentials', method: RequestMethod.POST },
  { path: 'user_uploads/{*rest}', method: RequestMethod.ALL },
  { path: 'user_avatars/{*rest}', method: RequestMethod.ALL },
  { path: 'avatar/{*rest}', method: RequestMethod.ALL },
  { path: `${API_PREFIX}/user_uploads/{*rest}`, method: RequestMethod.ALL },
  { path: `${API_PREFIX}/thumbnail/status/{*rest}`, method: RequestMethod.ALL },
  { path: 'join/:token', method: RequestMethod.ALL },
  { path: 'accounts/confirm_new_email/:token', method: RequestMethod.ALL },
  { path: 'accounts/password/reset/:token', method: RequestMethod.ALL },
  { path: 'accounts/not_me', method: RequestMethod.ALL },
  { path: 'accounts/login/openid', method: RequestMethod.ALL },
  { path: 'accounts/login/openid/callback', method: RequestMethod.ALL },
  { path: 'accounts/login/openid/credentials', method: RequestMethod.ALL },
  { path: 'accounts/login/openid/key', method: RequestMethod.ALL },
  { path: 'accounts/unsubscribe/:token', method: RequestMethod.ALL },
  { path: 'static/emoji.json', method: RequestMethod.ALL },
];

/**
 * Creates the application of a root module, ready to listen. The module must import {@link HttpModule} and
 * provide an {@link Authenticator}.
 */
export async function createHttpApplication(
  root: Type | DynamicModule,
  configuration: Configuration,
  logger: Logger,
): Promise<NestFastifyApplication> {
  const adapter = new HttpAdapter(configuration);
  const application = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  const limits = application.get(RequestLimits);
  application.setGlobalPrefix(API_PREFIX, { exclude: [...addressedWhole] });
  application.useGlobalGuards(
    new BasicAuthGuard(application.get(Authenticator, { strict: false }), limits),
    new RateLimitGuard(limits),
    new UnexpectedFileGuard(),
  );
  application.useGlobalFilters(new ErrorFilter(logger));
  registerServer(application, { adapter, configuration, logger });
  answerWithSuccess(application);
  registerDocumentationPage(adapter.getInstance<FastifyInstance>(), limits, async () => {
    const { openApiDocument } = await import('./open-api.js');
    return openApiDocument(application);
  });
  return application;
}

function registerServer(
  application: NestFastifyApplication,
  { adapter, configuration, logger }: { adapter: HttpAdapter; configuration: Configuration; logger: Logger },
): void {
  const fastify = adapter.getInstance<FastifyInstance>();
  const metrics = application.get(Metrics);
  registerRequestHooks(fastify, logger, metrics);
  limitPipelinedRequests(fastify);
  new UnfinishedRequests().follow(fastify);
  adapter.unreadReplies.follow(fastify);
  registerBodies(fastify);
  registerMethodOverride(fastify, adapter.routes);
  registerPathCheck(fastify, adapter.routes);
  registerStaticImages(fastify);
  const health = application.get(HealthIndicators);
  registerOperations(fastify, {
    configuration,
    logger,
    metrics,
    health,
    draining: application.get(Draining),
  });
}

/** Interval between searches for idle connections during shutdown, in milliseconds. */
const SWEEP = 50;

/**
 * Stops gracefully: long polls are answered, no connection is accepted any more, requests in progress are
 * finished, and then Nest's shutdown hooks run, so that `onApplicationShutdown` is the place to close stores.
 *
 * @param milliseconds after which connections that are still open are cut
 */
export async function stopApplication(
  application: NestFastifyApplication,
  milliseconds: number,
): Promise<void> {
  application.get(Draining).begin();
  const server = application.getHttpServer();
  // Node closes connections that are idle at the beginning, but would wait for the others to time out.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP);
  const deadline = setTimeout(() => server.closeAllConnections(), milliseconds);
  try {
    await application.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}
