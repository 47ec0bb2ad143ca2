import { Command } from 'commander';
import { collected, runs } from '../command.js';
import { caseCommand } from './case.command.js';
import {
  atCommand,
  channelCommand,
  historyCommand,
  logCommand,
  personCommand,
  readersCommand,
  whoCouldSeeCommand,
} from './log.commands.js';

/** Defines `palimpsest audit export`. */
function exportCommand(audit: Command): void {
  const exporting = audit
    .command('export')
    .argument('[file]', 'path of the file; absent: standard output')
    .summary('write the log as NDJSON, with its signed tree head')
    .description(
      'Writes the whole log, one JSON value per line: the events as they are stored, and at the end the signed root of their Merkle tree. What people wrote is encrypted in it. With --keys it also contains the keys, encrypted with server.key: anybody who has the export and server.key can read everything. Uploaded files are included, encrypted as they are stored.',
    )
    .option('--keys', 'include the keys of what people wrote')
    .option('--without-files', 'leave out uploaded files: they are missing after an import')
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
function importCommand(audit: Command): void {
  const importing = audit
    .command('import')
    .argument('<file>', 'a file written by "audit export"')
    .summary('import an exported log into an empty log')
    .description(
      'Verifies a whole export and imports it into the empty log that the environment names, embedded or EventStoreDB: the same events with the same ids, in the same order. The next start builds the same read models from them. Reactors do not act on the imported events again. If the import was interrupted, run it again to continue. API keys and passwords are not in the log: use "owner reset-key" to let the owner log in.',
    )
    .option('--erase-without-keys', 'treat what people wrote as erased if its key is missing')
    .option('--source-key <file>', 'the server.key of the exporting server, with which the tags are checked')
    .option(
      '--without-checking-tags',
      'do not check the tags, if that key is not available: you then trust the export',
    )
    .addHelpText(
      'after',
      '\nThe keys in an export are encrypted with the server.key of the exporting server: copy that server.key into DATA_DIR first.',
    );
  runs(importing, async () => (await import('./import.js')).readExport);
}

/** Defines `palimpsest audit verify`. */
function verifyCommand(audit: Command): void {
  const verify = audit
    .command('verify')
    .summary('prove that the log was not changed')
    .description(
      'Reads the whole log and verifies every event (its stored form, its hash, its tag, its metadata, its schema, that its id is unique, that its content can be decrypted), the revisions of every stream, the order of all events, every seal, and that the end of the log matches the record that is kept beside it. Prints every fault with its place, and the last event that was verified.',
    )
    .option('--seal <bundle>', 'also compare the log with a proof bundle of "audit seal"', collected)
    .option(
      '--signer <fingerprint>',
      'fingerprint of the key that must have signed the bundle, such as SHA256:…',
    )
    .option('--no-keys', 'do not decrypt anything: this needs no keys, and tags are not checked')
    .addHelpText('after', '\nExits with 0 if everything is correct, and with 3 if any fault was found.');
  runs(verify, async () => (await import('./verify.js')).verifyAll);
}

/** Defines `palimpsest audit check`. */
function checkCommand(audit: Command): void {
  const check = audit
    .command('check')
    .argument('<bundle>', 'a file written by "audit seal" or "audit case export"')
    .summary('check a proof bundle without the log')
    .description(
      'Checks a proof bundle for somebody who has no access to the log: its signature, the hashes and inclusion proofs of its events, and, with --earlier, the proof that nothing in the log of an earlier bundle was changed or removed since. For the bundle of a case, also checks that its entries are unchanged. Anybody can sign a log of their own, so a bundle proves something only if you know its signer in advance.',
    )
    .option('--earlier <bundle>', 'a proof bundle that was made earlier')
    .option(
      '--signer <fingerprint>',
      'fingerprint of the key that must have signed both, such as SHA256:…. "audit seal" prints it when it signs. Get it from somebody you trust, not from the file',
    )
    .addHelpText(
      'after',
      '\nExits with 0 if everything is correct, with 3 if any fault was found, and with 4 if no fault was found but --signer was not given.',
    );
  runs(check, async () => (await import('./check.js')).checkProofBundle);
}

/** Defines `palimpsest audit seal`. */
function sealCommand(audit: Command): void {
  const seal = audit
    .command('seal')
    .summary('write a proof bundle: the signed tree head of the log, with inclusion proofs')
    .description(
      'Writes a proof bundle: the signed tree head of the log as it is now (how many events there are, and the root of their Merkle tree, RFC 6962, signed with the Ed25519 key in DATA_DIR/seal.key, which is created with the first bundle), and, with --prove, stored events with their inclusion proofs. docs/proofs.md describes the format. With the bundle, its holder can detect later changes of the events that it covers. Keep it where nobody who can write to the log can change it.',
    )
    .option('--out <file>', 'write the bundle to a file instead of standard output')
    .option('--since <bundle>', 'prove that this log continues the log of an earlier bundle')
    .option(
      '--prove <what>',
      'prove that events are in the log: the id of a message (its sending, edits, moves and deletion), or the id of an event',
      collected,
    )
    .addHelpText(
      'after',
      `
Examples:
  palimpsest audit seal --out november.json
  palimpsest audit seal --out december.json --since november.json --prove 41
  palimpsest audit verify --seal november.json     with the log: nothing before it has changed
  palimpsest audit check december.json --earlier november.json --signer SHA256:…     without the log`,
    );
  runs(seal, async () => (await import('./seal.js')).writeProofBundle);
}

/** The commands for auditors. */
export function auditCommands(): Command {
  const audit = new Command('audit')
    .summary('read, prove and export the log')
    .description('For auditors: reads the log, proves that it was not changed, and shows past states.');
  for (const add of [
    logCommand,
    historyCommand,
    personCommand,
    channelCommand,
    whoCouldSeeCommand,
    readersCommand,
    atCommand,
    caseCommand,
    verifyCommand,
    sealCommand,
    checkCommand,
    exportCommand,
    importCommand,
  ])
    add(audit);
  return audit;
}
