import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withStoresOf } from '../../crash/support/data-directory.js';
import { dropDatabase, newDatabaseUrl } from '../../support/mongodb-database.js';
import { openMeasuredLog } from '../servers/measured-log.js';
import type { Archive } from './archive.js';
import { runTool } from './operations.js';

/** A data directory, and the addresses of stores that are on servers. */
export interface Installation {
  readonly folder: string;
  /** Environment variables; empty: all stores are in the folder. */
  readonly environment: Readonly<Record<string, string>>;
}

/** More than the number of accounts in an archive. */
const IDS = 1_000;

/**
 * Moves an archive to an EventStoreDB (that of `EVENTSTORE_URL`, or the stand-in) and, if `MONGODB_URL` names a
 * server, to a new database there. The stand-in and the database are removed after the task.
 *
 * @param folder is created as the data directory
 */
export async function onServers<Result>(
  archive: Archive,
  folder: string,
  task: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const log = await openMeasuredLog();
  const database = process.env['MONGODB_URL'] === undefined ? null : newDatabaseUrl();
  const environment = { EVENTSTORE_URL: log.url, ...(database !== null && { MONGODB_URL: database }) };
  try {
    await move(archive, { folder, environment });
    return await task({ folder, environment });
  } finally {
    await log.close();
    if (database !== null) await dropDatabase(database);
  }
}

/** Follows the operators' guide and includes the API keys, because people of the archive authenticate with them. */
async function move(archive: Archive, { folder, environment }: Installation): Promise<void> {
  process.stderr.write('Moving the archive to servers …\n');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of ['server.key', 'owner.zuliprc'])
    await copyFile(join(archive.folder, name), join(folder, name));
  const file = join(folder, 'moving.ndjson');
  await runTool(archive.folder, ['audit', 'export', file, '--keys', '--without-files']);
  await runTool(folder, ['audit', 'import', file], environment);
  await rm(file);
  const ids = Array.from({ length: IDS }, (_, index) => index + 1);
  const keys = await withStoresOf(archive.folder, ({ credentialStore }) => credentialStore.apiKeysOf(ids));
  await withStoresOf(
    folder,
    async ({ credentialStore }) => {
      for (const key of keys) await credentialStore.addApiKey(key);
    },
    environment,
  );
}
