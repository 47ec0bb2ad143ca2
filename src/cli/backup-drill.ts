import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildUp } from '../../projections/engine/build-model.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { projections } from '../../projections/registry.js';
import type { Configuration } from '../config.js';
import { chosenManifest } from '../operations/backup/catalog.js';
import { readIdentities } from '../operations/backup/pieces.js';
import { restoreBackup } from '../operations/backup/restore-backup.js';
import { makeTemporaryFolder } from '../runtime/temporary-folder.js';
import { openProjectionStores } from '../stores/stores.js';
import { verifyAll } from './audit/verify.js';
import { openConfiguredPlace, type ChosenBackupParameters } from './backup.js';
import { exitCodes, type CommandAction, type CommandContext } from './command.js';

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
    const models = await buildAll(there, terminal);
    const good = log === exitCodes.done;
    const outcome = { id: manifest.id, position: manifest.log.position, models, good };
    const verdict = good ? 'can be restored' : 'restores, but its log is amiss';
    const said = `${manifest.id} ${verdict}: ${models} read models were built up to event ${manifest.log.position}.`;
    await terminal.print(terminal.json ? JSON.stringify(outcome) : said);
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

/** Checks that every projection can apply every event of the log. @throws PoisonEventError */
async function buildAll(configuration: Configuration, terminal: CommandContext['terminal']): Promise<number> {
  const stores = await openProjectionStores(configuration);
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
      await buildUp(stores, { projection, version: 1 }, options);
      progress.end();
    }
    return projections.length;
  } finally {
    await stores.close();
  }
}
