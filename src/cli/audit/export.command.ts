import type { Command } from 'commander';
import { runs } from '../command.js';

/** `palimpsest audit export` */
export function exportCommand(audit: Command): void {
  const exporting = audit
    .command('export')
    .argument('[file]', 'where to; standard output if none is named')
    .summary('write the log as NDJSON, with its proofs')
    .description(
      'Writes the whole log, a JSON value a line: events as they are stored, and at the end the root of their Merkle tree, signed. What people wrote is in it encrypted. With --keys the keys are in it too, wrapped under the server’s key: whoever has the export and server.key can read everything. Uploaded files are in it as they are stored, encrypted.',
    )
    .option('--keys', 'with the keys of what people wrote')
    .option('--without-files', 'leave uploaded files out: then whoever imports it finds them missing')
    .addHelpText(
      'after',
      `
To move from embedded stores to EventStoreDB:
  palimpsest audit export log.ndjson
  EVENTSTORE_URL=esdb://… palimpsest audit import log.ndjson`,
    );
  runs(exporting, async () => (await import('./export.js')).writeExport);
}
