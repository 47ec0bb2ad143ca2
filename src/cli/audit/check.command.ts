import type { Command } from 'commander';
import { runs } from '../command.js';

/** `palimpsest audit check` */
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
