import type { Command } from 'commander';
import { collected, runs } from '../command.js';

/** `palimpsest audit seal` */
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
