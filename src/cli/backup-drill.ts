import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildUp } from '../../projections/engine/build-model.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { builtOrStopped, type UnbuiltModel } from '../../projections/engine/poison-event.js';
import { projections } from '../../projections/registry.js';
import { plain } from '../audit/sentences/wording.js';
import type { Configuration } from '../config.js';
import { chosenManifest } from '../operations/backup/catalog.js';
import { readIdentities } from '../operations/backup/pieces.js';
import { restoreBackup } from '../operations/backup/restore-backup.js';
import { makeTemporaryFolder } from '../runtime/temporary-folder.js';
import { openProjectionStores } from '../stores/stores.js';
import { verifyAll } from './audit/verify.js';
import { openConfiguredPlace, type ChosenBackupParameters } from './backup.js';
import { exitCodes, type CommandAction, type CommandContext, type ExitCode } from './command.js';

export const drill: CommandAction<ChosenBackupParameters> = async (parameters, context) => {
  const { configuration, terminal } = context;
  const place = await openConfiguredPlace(parameters, configuration);
  const manifest = await chosenManifest(place, parameters.backup);
  const { identity, serverKey } = parameters;
  const present = existsSync(configuration.serverKeyFile) ? configuration.serverKeyFile : null;
  const folder = makeTemporaryFolder('drill');
  try {
    const there = directoryOnly(configuration, folder.path);
    await restoreBackup({
      configuration: there,
      place,
      manifest,
      identities: identity === undefined ? [] : await readIdentities(identity),
      serverKeyFile: serverKey ?? (manifest.serverKey.included ? null : present),
      onProgress: (file) => terminal.say(`Restoring ${file}`),
    });
    const log = await verifyAll({ keys: true }, { ...context, configuration: there });
    const unbuilt = await buildAll(there, terminal);
    const good = log === exitCodes.done && unbuilt.length === 0;
    const models = projections.length - unbuilt.length;
    const outcome = { id: manifest.id, position: manifest.log.position, models, unbuilt, good };
    const said = `${manifest.id} ${verdictOf(log, unbuilt)}: ${models} read models were built up to event ${manifest.log.position}.`;
    if (terminal.json) await terminal.print(JSON.stringify(outcome));
    else for (const line of [...unbuilt.map(lineOf), said]) await terminal.print(line);
    return good ? exitCodes.done : exitCodes.faultsFound;
  } finally {
    await folder.remove();
  }
};

/** The configuration with all stores in the restored directory, and no servers. */
function directoryOnly(configuration: Configuration, dataDirectory: string): Configuration {
  return {
    ...configuration,
    dataDirectory,
    serverKeyFile: join(dataDirectory, 'server.key'),
    eventStoreUrl: null,
    mongodbUrl: null,
  };
}

function verdictOf(log: ExitCode, unbuilt: readonly UnbuiltModel[]): string {
  if (log !== exitCodes.done) return 'restores, but its log is amiss';
  return unbuilt.length === 0 ? 'can be restored' : 'restores, but not every read model can be built';
}

function lineOf({ projection, reason }: UnbuiltModel): string {
  return `${projection} cannot be built: ${plain(reason)}`;
}

/** Builds every read model, and returns those that cannot apply an event of the log. */
async function buildAll(
  configuration: Configuration,
  terminal: CommandContext['terminal'],
): Promise<readonly UnbuiltModel[]> {
  const stores = await openProjectionStores(configuration);
  const unbuilt: UnbuiltModel[] = [];
  try {
    const { signal } = new AbortController();
    for (const projection of projections) {
      const progress = terminal.progress(`Building ${projection.name}`, null);
      const options = {
        processName: 'drill',
        logger: silentLogger,
        signal,
        onProgress: ({ events }: { readonly events: number }) => progress.set(events),
      };
      try {
        const stopped = await builtOrStopped(projection.name, async () => {
          await buildUp(stores, { projection, version: 1 }, options);
          return null;
        });
        if (stopped !== null) unbuilt.push(stopped);
      } finally {
        progress.end();
      }
    }
    return unbuilt;
  } finally {
    await stores.close();
  }
}
