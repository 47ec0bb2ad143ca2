import type { Command } from 'commander';
import { runs } from '../command.js';

/** `palimpsest projections status` */
export function statusCommand(projections: Command): void {
  const status = projections
    .command('status')
    .summary('show how every read model and reactor is doing')
    .description(
      'Shows of every read model what is being done for it, the version that serves, how far it has followed the log, how far it lags in events and seconds, how many events it applies in a second, how much room it takes, and what keeps it from going on; and of every reactor of the running server which event it stands before, and why. The running server has the same figures at /metrics and /health/ready.',
    )
    .addHelpText(
      'after',
      '\nExits with 3 when a read model stands before an event that it cannot apply, or a reactor before one that it cannot act on.',
    );
  runs(status, async () => (await import('./status.js')).showStatus);
}
