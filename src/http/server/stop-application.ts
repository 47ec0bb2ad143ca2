import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Draining } from '../monitoring/draining.js';

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
