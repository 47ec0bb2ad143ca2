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
function importCommand(audit: Command): void {
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

/** Defines `palimpsest audit verify`. */
function verifyCommand(audit: Command): void {
  const verify = audit
    .command('verify')
    .summary('prove that nobody changed the log')
    .description(
      'Reads the whole log and verifies every event (that it is spelled as it was written, its hash, its tag under the server’s key, its metadata, its schema, that its id is its own, that its content opens under its key), the revisions of every stream, the order of all, every seal, and that the log ends as the record beside it says. What is wrong is named with its place, and so is the last event up to which all of this speaks.',
    )
    .option('--seal <bundle>', 'also compare with a proof bundle that "audit seal" wrote', collected)
    .option('--signer <fingerprint>', 'and insist on who signed it, such as SHA256:…')
    .option('--no-keys', 'do not open what is encrypted: then no key is needed, and tags are not looked at')
    .addHelpText('after', '\nExits with 0 when all is well, and with 3 when anything was found.');
  runs(verify, async () => (await import('./verify.js')).verifyAll);
}

/** Defines `palimpsest audit check`. */
function checkCommand(audit: Command): void {
  const check = audit
    .command('check')
    .argument('<bundle>', 'a file that "audit seal" or "audit case export" wrote')
    .summary('check a proof bundle without the log')
    .description(
      'Checks a proof bundle for somebody who has no access to the log: its signature, the hashes of the events that it holds and the proofs that they are in the log, and, with --earlier, the proof that nothing of an earlier bundle’s log was changed or removed since. Of the bundle of a case, that every entry is as it was packed, too. Anybody can sign a log of their own, so it proves something only for a signer that you know beforehand.',
    )
    .option('--earlier <bundle>', 'a bundle made before')
    .option(
      '--signer <fingerprint>',
      'who must have signed both, such as SHA256:…, as "audit seal" says when it signs: have it from somebody you trust, not from the file',
    )
    .addHelpText(
      'after',
      '\nExits with 0 when all is well, with 3 when anything was found, and with 4 when nothing was found but --signer was not given.',
    );
  runs(check, async () => (await import('./check.js')).checkProofBundle);
}

/** Defines `palimpsest audit seal`. */
function sealCommand(audit: Command): void {
  const seal = audit
    .command('seal')
    .summary('write a proof bundle: the signed tree head of the log, and proofs')
    .description(
      'Writes a proof bundle: the signed tree head of the log as it is now (how many events there are, and the root of their Merkle tree, RFC 6962, signed with the Ed25519 key in DATA_DIR/seal.key, which the first bundle makes), and, with --prove, stored events with the proofs that they are in it. docs/proofs.md describes the format. Give it to somebody who is to be able to tell later that nothing before it was changed: keep it where whoever can write the log cannot.',
    )
    .option('--out <file>', 'write it to a file instead of standard output')
    .option('--since <bundle>', 'prove that the log of an earlier bundle begins this one')
    .option(
      '--prove <what>',
      'prove that events are in the log: a message’s number (its sending, edits, moves and deletion), or an event’s id',
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
    .description('For auditors: reads the log, proves that nobody changed it, and shows the past as it was.');
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
