import type { Command } from 'commander';
import { collected, runs } from '../command.js';

/** Defines `palimpsest audit verify`. */
export function verifyCommand(audit: Command): void {
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
export function checkCommand(audit: Command): void {
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
export function sealCommand(audit: Command): void {
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
