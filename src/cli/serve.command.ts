import { Command } from 'commander';

/**
 * `palimpsest serve`: the server in this process, for those who installed the package. `npm start` and the image start it with
 * bounds on its memory that can only be set on Node's own command line.
 */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Start the server; every setting comes from the environment (README, "Configuration")')
    .action(async () => {
      await import('../main.js');
    });
}
