import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Configuration } from '../../config.js';
import { failure } from '../../kernel/errors.js';
import type { Draining } from './draining.js';
import type { HealthIndicators } from './health.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';

/** What the operators' endpoints report on. */
export interface Operations {
  readonly configuration: Pick<Configuration, 'metricsToken'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: HealthIndicators;
  readonly draining: Draining;
}

/**
 * The endpoints for operators, outside the API and its envelope:
 * - `/health/live`: 200 as long as the process answers at all;
 * - `/health/ready`: 200 when requests may be sent here, else 503 with the names of what fails (the reasons are logged);
 * - `/metrics`: Prometheus' format, for this machine, or for a bearer of `METRICS_TOKEN`.
 */
export function registerOperations(fastify: FastifyInstance, operations: Operations): void {
  fastify.get('/health/live', async (_request, reply) => reply.send({ status: 'ok' }));
  fastify.get('/health/ready', async (_request, reply) => {
    const { ready, body } = await readiness(operations);
    return reply.status(ready ? 200 : 503).send(body);
  });
  fastify.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, operations.configuration.metricsToken)) throw failure('metricsForbidden');
    const { registry } = operations.metrics;
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

async function readiness({
  draining,
  health,
  logger,
}: Operations): Promise<{ ready: boolean; body: object }> {
  if (draining.signal.aborted) return { ready: false, body: { status: 'stopping' } };
  const { ready, checks, figures } = await health.report();
  if (!ready) logger.warn({ checks }, 'not ready');
  const shown = Object.entries(checks).map(([name, result]) => [name, result === 'ok' ? 'ok' : 'failing']);
  return {
    ready,
    body: { status: ready ? 'ok' : 'failing', checks: Object.fromEntries(shown) as object, ...figures },
  };
}

/** A request that a proxy on this machine passed on does not come from this machine. */
function mayReadMetrics({ headers, raw }: FastifyRequest, token: string | null): boolean {
  const bearer = headers.authorization?.replace(/^Bearer /i, '') ?? '';
  if (token !== null && timingSafeEqual(digest(bearer), digest(token))) return true;
  const peer = (raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const forwarded = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined;
  return !forwarded && (peer === '::1' || peer.startsWith('127.'));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
