import type { Command } from 'commander';
import { collected, runs } from '../command.js';

/** `palimpsest audit verify` */
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
