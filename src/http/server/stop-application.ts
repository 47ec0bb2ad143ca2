import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Draining } from '../monitoring/draining.js';

/** How often connections whose last request has been answered are looked for while stopping, in milliseconds. */
const SWEEP = 50;

/**
 * Stops gracefully: long polls answer, no connection is accepted any more, requests in flight are finished, and then
 * Nest's shutdown hooks run, so that `onApplicationShutdown` is the place to close stores.
 *
 * @param milliseconds after which connections that are still open are cut
 */
export async function stopApplication(
  application: NestFastifyApplication,
  milliseconds: number,
): Promise<void> {
  application.get(Draining).begin();
  const server = application.getHttpServer();
  // Node closes those that are idle when it begins to close, and would wait for the others to time out.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP);
  const deadline = setTimeout(() => server.closeAllConnections(), milliseconds);
  try {
    await application.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}
