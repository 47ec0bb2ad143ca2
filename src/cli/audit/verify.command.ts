import type { Command } from 'commander';
import { collected, runs } from '../command.js';

/** `palimpsest audit verify` */
export function verifyCommand(audit: Command): void {
  const verify = audit
    .command('verify')
    .summary('prove that nobody changed the log')
    .description(
      'Reads the whole log and verifies every event (that it is spelled as it was written, its hash, its metadata, its schema, that its content opens under its key), the revisions of every stream, the order of all, and every seal. What is wrong is named with its place. What lies after the last seal is not proven yet: it is named, too.',
    )
    .option('--seal <statement>', 'also compare with a statement that "audit seal" wrote', collected)
    .option('--signer <fingerprint>', 'and insist on who signed it, such as SHA256:…')
    .option('--no-keys', 'do not open what is encrypted: then no key is needed')
    .addHelpText('after', '\nExits with 0 when all is well, and with 3 when anything was found.');
  runs(verify, async () => (await import('./verify.js')).verifyAll);
}
