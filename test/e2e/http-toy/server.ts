import { type DynamicModule, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddressInfo } from 'node:net';
import { type Configuration, readConfiguration } from '../../../src/config.js';
import { HttpModule } from '../../../src/http/http.module.js';
import { createLogger } from '../../../src/http/monitoring/logger.js';
import { createHttpApplication, stopApplication } from '../../../src/http/server/http-application.js';
import { EMAIL, KEY, ToyModule } from './endpoints.js';

@Module({})
class RootModule {}

/** A server with toy endpoints, its log as parsed lines, and a clock that a test may set. */
export interface ToyServer {
  readonly application: NestFastifyApplication;
  readonly origin: string;
  readonly port: number;
  readonly log: readonly Readonly<Record<string, unknown>>[];
  readonly clock: { time: number };
  /** Sends a request with credentials to a path of the API. */
  call(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export const CREDENTIALS = `Basic ${Buffer.from(`${EMAIL}:${KEY}`).toString('base64')}`;

/**
 * Starts one on a free port.
 *
 * @param prepare called before it listens
 */
export async function startToyServer(
  environment: Partial<Record<string, string>> = {},
  prepare: (application: NestFastifyApplication) => void = () => {},
): Promise<ToyServer> {
  const configuration: Configuration = readConfiguration({
    PORT: '0',
    LOG_LEVEL: 'debug',
    RATE_LIMIT_PER_MINUTE: '0',
    ...environment,
  });
  const clock = { time: 1_000_000_000_000 };
  const log: Record<string, unknown>[] = [];
  const logger = createLogger(configuration.logLevel, {
    write: (line) => void log.push(JSON.parse(line) as Record<string, unknown>),
  });
  const root: DynamicModule = {
    module: RootModule,
    imports: [ToyModule, HttpModule.register(configuration, { now: () => clock.time }, { logger })],
  };
  const application = await createHttpApplication(root, configuration, logger);
  prepare(application);
  await application.listen(configuration.port, configuration.host);
  const { port } = application.getHttpServer().address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    application,
    origin,
    port,
    log,
    clock,
    call: (path, init = {}) =>
      fetch(`${origin}/api/v1${path}`, { ...init, headers: { authorization: CREDENTIALS, ...init.headers } }),
    close: () => stopApplication(application, 1_000),
  };
}
