import type { Command } from 'commander';
import { runs } from '../command.js';

/** `palimpsest audit check` */
export function checkCommand(audit: Command): void {
  const check = audit
    .command('check')
    .argument('<statement>', 'a file that "audit seal" wrote')
    .summary('check a statement without the log')
    .description(
      'Checks a statement for somebody who has no access to the log: its signature, the proofs that events are in the log, and, with --earlier, the proof that nothing of an earlier statement’s log was changed or removed since.',
    )
    .option('--earlier <statement>', 'a statement made before')
    .option('--signer <fingerprint>', 'insist on who signed both, such as SHA256:…')
    .addHelpText('after', '\nExits with 0 when all is well, and with 3 when anything was found.');
  runs(check, async () => (await import('./check.js')).checkStatement);
}
