import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildUp } from '../../projections/engine/build-model.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { builtOrStopped, type UnbuiltModel } from '../../projections/engine/poison-event.js';
import { projections } from '../../projections/registry.js';
import { ImportRefusedError } from '../audit/transfer/format.js';
import { plain } from '../audit/sentences/wording.js';
import type { Configuration } from '../config.js';
import { chosenManifest } from '../operations/backup/catalog.js';
import { readIdentities } from '../operations/backup/pieces.js';
import { restoreBackup } from '../operations/backup/restore-backup.js';
import { isKeyPresent, putServerKey, refuseUnreadableKey } from '../operations/backup/restored-server-key.js';
import { makeTemporaryFolder } from '../runtime/temporary-folder.js';
import { ServerKeyError } from '../stores/key-store/server-key.js';
import { openProjectionStores } from '../stores/stores.js';
import { readExport } from './audit/import.js';
import { verifyAll } from './audit/verify.js';
import { openConfiguredPlace, type ChosenBackupParameters } from './backup.js';
import {
  CommandFailedError,
  exitCodes,
  MisusedError,
  type CommandAction,
  type CommandContext,
  type ExitCode,
} from './command.js';

/** What `palimpsest backup drill` can restore: a backup in a place, or an export. */
interface DrillParameters extends ChosenBackupParameters {
  /** Path of a file that `palimpsest audit export --keys` wrote. */
  readonly export?: string;
}

/** What is restored. */
interface Drilled {
  /** How the output names it. */
  readonly id: string;
  /** Restores it into a data directory. */
  readonly restore: (there: Configuration) => Promise<void>;
}

/** What `palimpsest backup drill` does. */
export const drill: CommandAction<DrillParameters> = async (parameters, context) => {
  const { configuration, terminal } = context;
  const { export: file } = parameters;
  const { id, restore } =
    file === undefined ? await backupOf(parameters, context) : exportOf(file, parameters, context);
  const folder = makeTemporaryFolder('drill');
  try {
    const there = directoryOnly(configuration, folder.path);
    await restore(there);
    const log = await verifyAll({ keys: true }, { ...context, configuration: there });
    const { position, unbuilt } = await buildAll(there, terminal);
    const good = log === exitCodes.done && unbuilt.length === 0;
    const models = projections.length - unbuilt.length;
    const said = `${plain(id)} ${verdictOf(log, unbuilt)}: ${models} read models were built up to event ${position}.`;
    if (terminal.json) await terminal.print(JSON.stringify({ id, position, models, unbuilt, good }));
    else for (const line of [...unbuilt.map(lineOf), said]) await terminal.print(line);
    return good ? exitCodes.done : exitCodes.faultsFound;
  } finally {
    await folder.remove();
  }
};

/** The chosen backup of a place. */
async function backupOf(parameters: DrillParameters, context: CommandContext): Promise<Drilled> {
  const { configuration, terminal } = context;
  const place = await openConfiguredPlace(parameters, configuration);
  const manifest = await chosenManifest(place, parameters.backup);
  const { identity, serverKey } = parameters;
  const present = presentServerKey(configuration) ?? null;
  return {
    id: manifest.id,
    restore: async (there) =>
      restoreBackup({
        configuration: there,
        place,
        manifest,
        identities: identity === undefined ? [] : await readIdentities(identity),
        serverKeyFile: serverKey ?? (manifest.serverKey.included ? null : present),
        onProgress: (file) => terminal.say(`Restoring ${file}`),
      }),
  };
}

/**
 * An export, with the key of the server that made it.
 *
 * @throws MisusedError when a backup is chosen as well
 * @throws CommandFailedError when there is no key
 * @throws BackupRefusedError when its file is absent or cannot be read
 */
function exportOf(file: string, parameters: DrillParameters, context: CommandContext): Drilled {
  const { place, backup, identity, serverKey = presentServerKey(context.configuration) } = parameters;
  if (place !== undefined || backup !== undefined || identity !== undefined)
    throw new MisusedError('--export names a file: it takes no place, no --backup and no --identity.');
  if (serverKey === undefined)
    throw new CommandFailedError(
      'An export needs the server.key of the server that made it: name it with --server-key.',
    );
  refuseUnreadableKey(serverKey);
  return {
    id: file,
    restore: async (there) => {
      await putServerKey(there.serverKeyFile, (copy) => copyFile(serverKey, copy));
      await readExport({ file }, { ...context, configuration: there }).catch((error: unknown) => {
        throw drillError(error, { file, serverKey });
      });
    },
  };
}

/** Messages of an import name its options, which a drill does not have, and a file that is removed after it. */
function drillError(
  error: unknown,
  { file, serverKey }: { readonly file: string; readonly serverKey: string },
): unknown {
  if (error instanceof ServerKeyError) return new CommandFailedError(`${serverKey} is not a server key.`);
  if (!(error instanceof ImportRefusedError) || error.missing === null) return error;
  return new CommandFailedError(
    error.missing === 'keys'
      ? `${file} lacks keys of what people wrote: make it with "palimpsest audit export --keys".`
      : `${serverKey} is not the key that the export was made under: name that of the server that made it.`,
  );
}

/** The configured file of the server's key, unless it is absent. */
function presentServerKey({ serverKeyFile }: Configuration): string | undefined {
  return isKeyPresent(serverKeyFile) ? serverKeyFile : undefined;
}

/** The configuration with all stores in the restored directory, and no servers and no bucket. */
function directoryOnly(configuration: Configuration, dataDirectory: string): Configuration {
  return {
    ...configuration,
    dataDirectory,
    serverKeyFile: join(dataDirectory, 'server.key'),
    eventStoreUrl: null,
    mongodbUrl: null,
    s3: null,
  };
}

function verdictOf(log: ExitCode, unbuilt: readonly UnbuiltModel[]): string {
  if (log !== exitCodes.done) return 'restores, but its log is amiss';
  return unbuilt.length === 0 ? 'can be restored' : 'restores, but not every read model can be built';
}

function lineOf({ projection, reason }: UnbuiltModel): string {
  return `${projection} cannot be built: ${plain(reason)}`;
}

/** Builds every read model up to the log's end, and returns those that cannot apply an event of it. */
async function buildAll(
  configuration: Configuration,
  terminal: CommandContext['terminal'],
): Promise<{ readonly position: number; readonly unbuilt: readonly UnbuiltModel[] }> {
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
    return { position: (await stores.log.store.head()) ?? 0, unbuilt };
  } finally {
    await stores.close();
  }
}
