import type { Command } from 'commander';
import { runs } from '../command.js';

/** `palimpsest projections verify` */
export function verifyCommand(projections: Command): void {
  const verify = projections
    .command('verify')
    .argument('[models...]', 'names of read models; none: all')
    .summary('compare live read models with ones rebuilt from nothing')
    .description(
      'Rebuilds read models from the log in a folder for temporary files, and compares the live ones with them, by digest and document by document. The server can go on meanwhile. Documents that differ are named.',
    )
    .addHelpText('after', '\nExits with 3 when anything differs, or an event was given up: each is named.');
  runs(verify, async () => (await import('./verify.js')).verifyModels);
}
