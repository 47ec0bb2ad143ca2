import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { importLog } from '../../audit/transfer/import-log.js';
import { checkExport } from '../../audit/transfer/check-export.js';
import { ImportRefusedError, type ExportLines } from '../../audit/transfer/format.js';
import { whileImporting } from '../../audit/transfer/unfinished-import.js';
import type { Configuration } from '../../config.js';
import { lockDataDirectory } from '../../node/data-directory-lock.js';
import { isKeyPresent, refuseUnreadableKey } from '../../operations/backup/restored-server-key.js';
import { openStores, type Stores } from '../../stores/stores.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { adoptLog } from '../../audit/tagging/begin-tagging.js';
import { TagKey } from '../../stores/event-store/tags/event-tag.js';
import { loadServerKey } from '../../stores/key-store/server-key.js';
import { reachable } from '../with-stores.js';
import { CommandFailedError, exitCodes, type CommandAction, type CommandContext } from '../command.js';
import type { Progress } from '../progress-line.js';

/** The arguments and options of `palimpsest audit import`. */
interface ImportParameters {
  readonly file: string;
  readonly eraseWithoutKeys?: boolean;
  /** Path of the `server.key` of the server that made the export. */
  readonly sourceKey?: string;
  /** `--without-checking-tags`. */
  readonly withoutCheckingTags?: boolean;
}

/** What `palimpsest audit import` does. */
export const readExport: CommandAction<ImportParameters> = async (parameters, context) => {
  const { configuration, terminal } = context;
  const lines = linesOf(parameters.file);
  const checked = await verified(lines, parameters, context);
  const lock = lockDataDirectory(configuration.dataDirectory);
  try {
    const stores = await openStores(await reachable(configuration));
    try {
      await refuseOtherLog(stores, checked.firstId);
      const progress = terminal.progress('Importing', checked.size);
      const { dataDirectory, eventStoreUrl } = configuration;
      const { eventStore } = stores;
      const importing = { dataDirectory, eventStore, events: checked.size };
      const { events, files } = await whileImporting(importing, ({ isResumed }) =>
        imported(lines, stores, {
          appendsAtOnce: eventStoreUrl === null ? 256 : 1,
          missingKeys: parameters.eraseWithoutKeys === true ? 'erase' : 'refuse',
          isResumed,
          terminal,
          progress,
        }),
      );
      const outcome = { events, root: checked.root, files };
      await terminal.print(
        terminal.json
          ? JSON.stringify(outcome)
          : `${events} events, root ${checked.root}, and ${files} uploaded files: imported.`,
      );
      if (checked.header.files !== true)
        terminal.say('The export contains no uploaded files: requests for them will fail.');
      return exitCodes.done;
    } finally {
      await stores.close();
    }
  } finally {
    lock.release();
  }
};

/** Verifies the export before anything is imported. */
async function verified(
  lines: ExportLines,
  parameters: ImportParameters,
  { configuration, terminal }: CommandContext,
): ReturnType<typeof checkExport> {
  const checking = terminal.progress('Verifying the export', null);
  const tagKeys = await tagKeysOf(parameters, configuration);
  const checked = await checkExport(lines, { tagKeys, onProgress: (events) => checking.set(events) });
  checking.end();
  if (tagKeys === null && checked.tagKeys.length > 0)
    terminal.say('The tags of the export were not checked: that its events are genuine is on your word.');
  if (checked.header.keys) requireServerKey(configuration);
  return checked;
}

interface ImportOptions extends Pick<Parameters<typeof importLog>[1], 'appendsAtOnce' | 'missingKeys'> {
  /** Whether an import of this log was interrupted here. */
  readonly isResumed: boolean;
  readonly terminal: CommandContext['terminal'];
  readonly progress: Progress;
}

/** The variables may name the stores that the export comes from. */
const NOTHING_ADDED =
  'The log here had every event of the export before: none was added. If you did not expect that, see which stores DATA_DIR, EVENTSTORE_URL and MONGODB_URL name.';

/** Imports the lines of a checked export, and makes the log that of this server. */
async function imported(
  lines: ExportLines,
  stores: Stores,
  { isResumed, terminal, progress, ...options }: ImportOptions,
): ReturnType<typeof importLog> {
  const outcome = await importLog(lines, {
    ...stores,
    ...options,
    tagKey: stores.tags.key,
    onProgress: (events) => progress.set(events),
  });
  progress.end();
  const remark = remarkOn({ ...outcome, isResumed });
  if (remark !== null) terminal.say(remark);
  await stores.vault.checkServerKey({ requireExisting: false });
  await adoptLog({ stores, clock: new SystemClock() });
  return outcome;
}

/** What to say of an import that did not add all events itself; null: it did. */
function remarkOn(
  outcome: Awaited<ReturnType<typeof importLog>> & Pick<ImportOptions, 'isResumed'>,
): string | null {
  const { added, events, isResumed } = outcome;
  if (added === events) return null;
  if (added > 0) return `Events that this run added: ${added}; in the log before: ${events - added}.`;
  return isResumed
    ? 'The import that was cut off here had added every event: this run only completed it.'
    : NOTHING_ADDED;
}

/**
 * Tag keys to check the export with: that of the exporting server, and that of this directory, which may be a copy of it. Null: tags are
 * not checked.
 */
async function tagKeysOf(
  { sourceKey, withoutCheckingTags = false, eraseWithoutKeys = false }: ImportParameters,
  { serverKeyFile }: Configuration,
): Promise<readonly TagKey[] | null> {
  if (withoutCheckingTags || (eraseWithoutKeys && sourceKey === undefined)) return null;
  const here = isKeyPresent(serverKeyFile) ? serverKeyFile : undefined;
  const files = [sourceKey, here].filter((file) => file !== undefined);
  files.forEach(refuseUnreadableKey);
  return Promise.all(files.map(async (file) => new TagKey((await loadServerKey({ file })).tagging)));
}

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

function requireServerKey({ serverKeyFile }: Configuration): void {
  if (isKeyPresent(serverKeyFile)) return refuseUnreadableKey(serverKeyFile);
  throw new ImportRefusedError(
    `The export holds keys that only the exporting server’s key opens: copy its server.key to ${serverKeyFile} first.`,
  );
}

/** Events that an interrupted import of the same export left are accepted. */
async function refuseOtherLog({ eventStore }: Stores, firstId: string): Promise<void> {
  for await (const { events } of eventStore.readAll({ after: null, pageSize: 1 })) {
    const [first] = events;
    if (first !== undefined && first.id !== firstId) {
      throw new ImportRefusedError('There is another log here already: import into an empty one.');
    }
    return;
  }
}
