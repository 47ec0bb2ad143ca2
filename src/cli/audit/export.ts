import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { loadSigningKey } from '../../audit/sealing/signing-key.js';
import { exportLog } from '../../audit/transfer/export-log.js';
import { exitCodes, type CommandAction } from '../command.js';
import { organizationName } from './organization-name.js';
import { withLog } from './reading-log.js';

/** What the command line says for `palimpsest audit export`. */
export interface ExportParameters {
  readonly file?: string;
  readonly keys?: boolean;
}

/** What `palimpsest audit export` does. */
export const writeExport: CommandAction<ExportParameters> = (parameters, { configuration, terminal }) =>
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
