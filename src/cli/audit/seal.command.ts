import type { Command } from 'commander';
import { collected, runs } from '../command.js';

/** `palimpsest audit seal` */
export function sealCommand(audit: Command): void {
  const seal = audit
    .command('seal')
    .summary('write a signed statement of the log so far')
    .description(
      'Writes a statement of what the log is now: how many events, and the root of their Merkle tree (RFC 6962), signed with the Ed25519 key in DATA_DIR/seal.key, which the first statement makes. Give it to somebody who is to be able to tell later that nothing before it was changed: keep it where whoever can write the log cannot.',
    )
    .option('--out <file>', 'write it to a file instead of standard output')
    .option('--since <statement>', 'prove that the log of an earlier statement begins this one')
    .option('--prove <what>', 'prove that events are in the log: a message’s id, or an event’s', collected)
    .addHelpText(
      'after',
      `
Examples:
  palimpsest audit seal --out november.json
  palimpsest audit seal --out december.json --since november.json --prove 41
  palimpsest audit verify --seal november.json     with the log: nothing before it has changed
  palimpsest audit check december.json --earlier november.json     without the log`,
    );
  runs(seal, async () => (await import('./seal.js')).writeStatement);
}
