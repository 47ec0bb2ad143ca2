import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenEnvironment } from '../../../projections/engine/projector-launch.js';
import type { Projection } from '../../../projections/engine/projection.js';
import { openEmbeddedEventStore } from '../../../src/stores/event-store/embedded/embedded-event-store.js';
import { EventLog } from '../../../src/stores/event-store/event-log.js';
import { openEmbeddedReadStore } from '../../../src/stores/read-store/embedded/embedded-read-store.js';
import { withHandler } from './accounts.projection.js';
import { quickTiming } from './building.js';
import { testCodec } from './test-log.js';

/** Where a thread finds its stores. */
export interface AccountsConfiguration {
  /** The log's file. */
  readonly file: string;
  /** The models' folder; a file "deadly" in it makes the next payment end the thread, once. */
  readonly directory: string;
}

/** Opens the stores of a projector thread: see `CompositionModule` of the engine. */
export function openProjectorEnvironment(configuration: AccountsConfiguration): Promise<OpenEnvironment> {
  const { file, directory } = configuration;
  const store = openEmbeddedEventStore({ file, readOnly: true });
  const readStore = openEmbeddedReadStore({ directory });
  const close = async (): Promise<void> => {
    await store.close();
    await readStore.close();
  };
  const stores = { log: new EventLog(store, testCodec), readStore };
  const projections = [deadly(directory)];
  return Promise.resolve({ stores, projections, processName: 'test', timing: quickTiming, close });
}

/** The accounts, whose payments end the thread where they find the file. */
function deadly(directory: string): Projection {
  const weapon = join(directory, 'deadly');
  return withHandler('Paid', (handler) => ({
    ...handler,
    apply: (paid, documents) => {
      if (existsSync(weapon)) {
        rmSync(weapon);
        process.exit(3);
      }
      return handler.apply(paid, documents);
    },
  }));
}
