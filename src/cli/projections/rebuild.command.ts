import type { Command } from 'commander';
import { runs, wholeNumber } from '../command.js';

/** `palimpsest projections rebuild` */
export function rebuildCommand(projections: Command): void {
  const rebuild = projections
    .command('rebuild')
    .argument('[models...]', 'names of read models')
    .summary('build read models anew, beside those that serve')
    .description(
      'Builds read models from the log, beside those that serve, in threads of their own; two at a time. When one has caught up it takes the other’s place: no request fails or sees what is older. What served until then is kept for a rollback. A rebuild that was interrupted, even by a power cut, goes on where it was: when the server starts, or when the command is given again.',
    )
    .option('--all', 'every read model')
    .option('--throttle <events>', 'apply at most so many events in a second to each', wholeNumber)
    .addHelpText(
      'after',
      `
Examples:
  palimpsest projections rebuild messages
  palimpsest projections rebuild --all --throttle 2000`,
    );
  runs(rebuild, async () => (await import('./rebuild.js')).rebuildModels);
}
