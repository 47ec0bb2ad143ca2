import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Configuration } from '../../config.js';
import { isLoopback, publicUrl } from '../../configuration/public-url.js';
import { failure } from '../../kernel/errors.js';
import type { Draining, HealthIndicators } from './health.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';

/** What the operators' endpoints report. */
interface Operations {
  readonly configuration: Pick<Configuration, 'metricsToken' | 'publicUrl' | 'host' | 'port'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: HealthIndicators;
  readonly draining: Draining;
}

/**
 * The endpoints for operators, outside the API and its envelope:
 * - `/health/live`: 200 as long as the process answers at all;
 * - `/health/ready`: 200 when requests may be sent here, else 503 (the reasons are logged). Operators also
 * get what fails and lags. Read models named in `without`, separated by commas, do not count;
 * - `/metrics`: Prometheus' format, for operators.
 */
export function registerOperations(fastify: FastifyInstance, operations: Operations): void {
  fastify.get('/health/live', async (_request, reply) => reply.send({ status: 'ok' }));
  fastify.get('/health/ready', async (request, reply) => {
    const { without } = request.query as { readonly without?: unknown };
    const names = typeof without === 'string' ? without.split(',') : [];
    const { ready, body } = await readiness(operations, new Set(names));
    const { status } = body;
    return reply
      .status(ready ? 200 : 503)
      .send(isOperator(request, operations.configuration) ? body : { status });
  });
  fastify.get('/metrics', async (request, reply) => {
    if (!isOperator(request, operations.configuration)) throw failure('metricsForbidden');
    const { registry } = operations.metrics;
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

async function readiness(
  { draining, health, logger }: Operations,
  without: ReadonlySet<string>,
): Promise<{ ready: boolean; body: { readonly status: string; readonly checks?: object } }> {
  if (draining.signal.aborted) return { ready: false, body: { status: 'stopping' } };
  const { ready, checks, figures } = await health.report(without);
  if (!ready) logger.warn({ checks }, 'not ready');
  const shown = Object.entries(checks).map(([name, result]) => [name, result === 'ok' ? 'ok' : 'failing']);
  return {
    ready,
    body: { status: ready ? 'ok' : 'failing', checks: Object.fromEntries(shown) as object, ...figures },
  };
}

/**
 * Whether a request is an operator's: by `METRICS_TOKEN`, if it is set. Otherwise a request from this
 * machine, provided that the server is meant for this machine alone: behind a proxy every request would seem
 * to come from it.
 */
function isOperator({ headers, raw }: FastifyRequest, configuration: Operations['configuration']): boolean {
  const { metricsToken: token } = configuration;
  if (token !== null) {
    const bearer = headers.authorization?.replace(/^Bearer /i, '') ?? '';
    return timingSafeEqual(digest(bearer), digest(token));
  }
  const isHere = isLoopback((raw.socket.remoteAddress ?? '').replace(/^::ffff:/, ''));
  return isHere && isLoopback(new URL(publicUrl(configuration)).hostname);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
