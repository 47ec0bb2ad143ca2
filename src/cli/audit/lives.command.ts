import type { Command } from 'commander';
import { runs, wholeNumber } from '../command.js';
import { momentHelp } from './moment.js';

/** `palimpsest audit person` */
export function personCommand(audit: Command): void {
  const command = audit
    .command('person')
    .argument('<who>', 'an id or an e-mail address')
    .summary('show what happened to somebody’s account')
    .description(
      'Shows what happened to an account, in log order: roles, names, groups, channels, devices, log-ins, keys issued and revoked; not what somebody wrote and read.',
    );
  withFormats(command, 'palimpsest audit person ada@example.com --from 2026-11-20');
  runs(command, async () => (await import('./lives.js')).showPerson);
}

/** `palimpsest audit channel` */
export function channelCommand(audit: Command): void {
  const command = audit
    .command('channel')
    .argument('<which>', 'name or id of the channel')
    .summary('show what happened to a channel')
    .description(
      'Shows what happened to a channel, in log order: its names, permissions, privacy and members; not what was sent to it.',
    );
  withFormats(command, 'palimpsest audit channel engines --csv');
  runs(command, async () => (await import('./lives.js')).showChannel);
}

function withFormats(command: Command, example: string): void {
  command
    .option('--from <moment>', `from a moment on: ${momentHelp}`)
    .option('--to <moment>', 'up to and including a moment')
    .option('--limit <count>', 'so many events at most', wholeNumber)
    .option('--csv', 'write comma-separated values, for spreadsheets')
    .addHelpText('after', `\nExample:\n  ${example}`);
}
