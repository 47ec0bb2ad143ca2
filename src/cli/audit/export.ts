import { loadSigningKey } from '../../audit/sealing/signing-key.js';
import { exportLog } from '../../audit/transfer/export-log.js';
import { placeOf } from '../../audit/verification/stream-order.js';
import { openFilesToRead } from '../../stores/stores.js';
import { exitCodes, type CommandAction } from '../command.js';
import { requireNewFile, writeNewFile } from '../new-file.js';
import { organizationName } from '../../audit/names.js';
import { byPosition } from '../progress-line.js';
import { withLog } from './reading-log.js';
import { recordAuditAccess } from './record-audit-access.js';
import { printableJson } from '../terminal-text.js';

/** The arguments and options of `palimpsest audit export`. */
interface ExportParameters {
  readonly file?: string;
  readonly keys?: boolean;
  /** `--without-files`. */
  readonly withoutFiles?: boolean;
}

/** What `palimpsest audit export` does. */
export const writeExport: CommandAction<ExportParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async ({ log, eventStore, keyStore, vault }) => {
    if (parameters.file !== undefined) await requireNewFile(parameters.file);
    const withFiles = parameters.withoutFiles !== true;
    const asked = { keys: inclusion(parameters.keys === true), files: inclusion(withFiles) };
    await recordAuditAccess({ configuration, terminal }, { view: 'log-export', asked });
    const opened = withFiles ? await openFilesToRead(configuration, vault) : null;
    const head = await eventStore.head();
    const progress = terminal.progress('Exporting', head);
    const damaged: string[] = [];
    const lines = exportLog({
      eventStore,
      keyStore: parameters.keys === true ? keyStore : null,
      files: opened?.files ?? null,
      header: {
        format: 'palimpsest-log',
        version: 2,
        organization: await organizationName(log),
        exportedAt: new Date().toISOString(),
        keys: parameters.keys === true,
        files: withFiles,
      },
      signingKey: await loadSigningKey(configuration.dataDirectory),
      onProgress: byPosition(progress, head),
      onDamage: (event) => void damaged.push(placeOf(event)),
    });
    try {
      if (parameters.file !== undefined) await writeNewFile(parameters.file, textOf(lines));
      else for await (const line of lines) await terminal.print(printableJson(JSON.stringify(line)));
    } finally {
      await opened?.close();
    }
    progress.end();
    for (const place of damaged) terminal.say(`${place} is damaged: no import takes it.`);
    return damaged.length === 0 ? exitCodes.done : exitCodes.faultsFound;
  });

function inclusion(isIncluded: boolean): 'included' | 'left out' {
  return isIncluded ? 'included' : 'left out';
}

async function* textOf(lines: AsyncIterable<unknown>): AsyncIterable<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`;
}
