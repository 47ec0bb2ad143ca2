import type { Command } from 'commander';
import { runs } from '../command.js';

/** Defines `palimpsest audit export`. */
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

/** Defines `palimpsest audit import`. */
export function importCommand(audit: Command): void {
  const importing = audit
    .command('import')
    .argument('<file>', 'what "audit export" wrote')
    .summary('take an exported log over into an empty one')
    .description(
      'Verifies a whole export, and takes it over into the empty log that the environment names, embedded or EventStoreDB: the same events with the same ids, in the same order, of which the next start builds the same read models. Nothing that happened is done again. An import that was interrupted goes on when it is given again. API keys and passwords are not in the log: "owner reset-key" lets the owner in.',
    )
    .option('--erase-without-keys', 'where a key is missing, let what people wrote count as erased')
    .option(
      '--source-key <file>',
      'the server.key of the server that the export comes from: its tags are checked',
    )
    .option('--without-checking-tags', 'vouch for the export yourself, where that key is not to be had')
    .addHelpText(
      'after',
      '\nKeys in an export are wrapped under the key of the server that it comes from: copy its server.key into DATA_DIR first.',
    );
  runs(importing, async () => (await import('./import.js')).readExport);
}
