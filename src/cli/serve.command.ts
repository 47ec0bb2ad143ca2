import { Command } from 'commander';

/**
 * `palimpsest serve` runs the server in this process, for those who installed the package. `npm start` and the image also set memory limits
 * that are only possible on Node's command line.
 */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Start the server, configured by environment variables (README, "Configuration")')
    .action(async () => {
      await import('../main.js');
    });
}
