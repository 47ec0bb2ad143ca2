import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import {
  checkExport,
  importLog,
  ImportRefusedError,
  type ExportLines,
} from '../../audit/transfer/import-log.js';
import type { Configuration } from '../../config.js';
import { lockDataDirectory } from '../../data-directory-lock.js';
import { openStores, type Stores } from '../../stores.js';
import { CommandFailedError, exitCodes, type CommandAction } from '../command.js';

/** What the command line says for `palimpsest audit import`. */
export interface ImportParameters {
  readonly file: string;
  readonly eraseWithoutKeys?: boolean;
}

/** What `palimpsest audit import` does. */
export const readExport: CommandAction<ImportParameters> = async (
  parameters,
  { configuration, terminal },
) => {
  const lines = linesOf(parameters.file);
  const checking = terminal.progress('Verifying the export', null);
  const checked = await checkExport(lines, (events) => checking.set(events));
  checking.end();
  if (checked.header.keys) await requireServerKey(configuration);
  const lock = lockDataDirectory(configuration.dataDirectory);
  try {
    const stores = await openStores(configuration);
    try {
      await refuseOtherLog(stores, checked.firstId);
      const progress = terminal.progress('Importing', checked.size);
      const count = await importLog(lines, {
        ...stores,
        appendsAtOnce: configuration.eventStoreUrl === null ? 256 : 1,
        missingKeys: parameters.eraseWithoutKeys === true ? 'erase' : 'refuse',
        onProgress: (events) => progress.set(events),
      });
      progress.end();
      await stores.vault.checkServerKey({ mustStand: false });
      const outcome = { events: count, root: checked.root };
      await terminal.print(
        terminal.json ? JSON.stringify(outcome) : `${count} events, root ${checked.root}: imported.`,
      );
      return exitCodes.done;
    } finally {
      await stores.close();
    }
  } finally {
    lock.release();
  }
};

function linesOf(file: string): ExportLines {
  return async function* () {
    const input = createReadStream(file);
    await new Promise((opened, failed) => {
      input.once('open', opened);
      input.once('error', () => failed(new CommandFailedError(`The export ${file} cannot be read.`)));
    });
    yield* createInterface({ input, crlfDelay: Infinity });
  };
}

async function requireServerKey({ serverKeyFile }: Configuration): Promise<void> {
  try {
    await access(serverKeyFile);
  } catch {
    throw new ImportRefusedError(
      `The export holds keys that only the exporting server’s key opens: copy its server.key to ${serverKeyFile} first.`,
    );
  }
}

/** What an interrupted import left is no other log. */
async function refuseOtherLog({ eventStore }: Stores, firstId: string): Promise<void> {
  for await (const { events } of eventStore.readAll({ after: null, pageSize: 1 })) {
    const [first] = events;
    if (first !== undefined && first.id !== firstId) {
      throw new ImportRefusedError('There is another log here already: import into an empty one.');
    }
    return;
  }
}
