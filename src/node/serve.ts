import type { AddressInfo } from 'node:net';
import { AppModule } from '../app.module.js';
import { IncomingWebhookGuard } from '../contexts/users/incoming-webhooks.js';
import { registerAvailability } from '../http/server/availability.js';
import { createHttpApplication, stopApplication } from '../http/server/http-application.js';
import { traceRequests } from '../http/server/request-hooks.js';
import { serveConsole } from '../operations/console/serve-console.js';
import type { ControlCommands } from '../operations/control-socket.js';
import { OwnerCommands } from './owner-commands.js';
import { MAX_LAG } from './server-monitoring.js';
import type { ServerNode } from './server-node.js';
import { ServerProcess, serverProviders } from './server-process.js';

/** A server that answers requests. */
export interface RunningServer {
  /** Commands for command-line tools, in addition to those of every process. */
  readonly commands: ControlCommands;
  /**
   * Finishes running requests, then closes the stores.
   *
   * @param milliseconds after which open requests are aborted
   */
  stop(milliseconds: number): Promise<void>;
}

/** Serves the application on a node that has caught up with the log; resolves when it answers requests. */
export async function serve(node: ServerNode): Promise<RunningServer> {
  const { configuration, logger } = node;
  const module = AppModule.register(node, serverProviders(node));
  const application = await createHttpApplication(module, configuration, logger);
  const server = application.get(ServerProcess);
  serveConsole(application.getHttpAdapter().getInstance());
  const { tracer } = node.stores.log;
  if (tracer !== null) traceRequests(application.getHttpAdapter().getInstance(), tracer);
  // It needs the caller, so it comes after the guards of every application.
  application.useGlobalGuards(application.get(IncomingWebhookGuard));
  server.watch();
  registerAvailability(application, {
    answersRequests: configuration.nodeRoles.has('api'),
    acceptsWrites: () => node.lagMilliseconds() <= MAX_LAG,
  });
  await server.beforeListening();
  await application.listen(configuration.port, configuration.host);
  const { port } = application.getHttpServer().address() as AddressInfo;
  await server.afterListening(port);
  return {
    commands: application.get(OwnerCommands).commands,
    stop: async (milliseconds) => {
      await server.beforeShutdown();
      await stopApplication(application, milliseconds);
      await server.afterShutdown();
    },
  };
}
