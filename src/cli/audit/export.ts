import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import { loadSigningKey } from '../../audit/sealing/signing-key.js';
import { exportLog } from '../../audit/transfer/export-log.js';
import { exitCodes, runs, type CommandAction } from '../command.js';
import { organizationName } from './organization-name.js';
import { withLog } from './reading-log.js';

interface ExportParameters {
  readonly file?: string;
  readonly keys?: boolean;
}

/** `palimpsest audit export` */
export function exportCommand(audit: Command): void {
  const exporting = audit
    .command('export')
    .argument('[file]', 'where to; standard output if none is named')
    .summary('write the log as NDJSON, with its proofs')
    .description(
      'Writes the whole log, a JSON value a line: events as they are stored, and at the end the root of their Merkle tree, signed. What people wrote is in it encrypted. With --keys the keys are in it too, wrapped under the server’s key: whoever has the export and server.key can read everything.',
    )
    .option('--keys', 'with the keys of what people wrote')
    .addHelpText(
      'after',
      `
To move from embedded stores to EventStoreDB:
  palimpsest audit export log.ndjson
  EVENTSTORE_URL=esdb://… palimpsest audit import log.ndjson`,
    );
  runs(exporting, writeExport);
}

const writeExport: CommandAction<ExportParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async ({ log, eventStore, keyStore }) => {
    const progress = terminal.progress('Exporting', await eventStore.head());
    const file =
      parameters.file === undefined ? null : createWriteStream(parameters.file, { flags: 'wx', mode: 0o600 });
    const lines = exportLog({
      eventStore,
      keyStore: parameters.keys === true ? keyStore : null,
      header: {
        format: 'palimpsest-log',
        version: 1,
        organization: await organizationName(log),
        exportedAt: new Date().toISOString(),
        keys: parameters.keys === true,
      },
      signingKey: await loadSigningKey(configuration.dataDirectory),
      onProgress: (position) => progress.set(position),
    });
    for await (const line of lines) {
      const text = JSON.stringify(line);
      if (file === null) await terminal.print(text);
      else if (!file.write(`${text}\n`)) await once(file, 'drain');
    }
    if (file !== null) {
      file.end();
      await finished(file);
    }
    progress.end();
    return exitCodes.done;
  });
