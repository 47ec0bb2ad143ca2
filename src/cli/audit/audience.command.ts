import type { Command } from 'commander';
import { runs, wholeNumber } from '../command.js';
import { momentHelp } from './moment.js';

/** `palimpsest audit who-could-see` */
export function whoCouldSeeCommand(audit: Command): void {
  const command = audit
    .command('who-could-see')
    .argument('<message>', 'id of the message', wholeNumber)
    .summary('list who could see a message')
    .description(
      'Lists everyone whose account could see a message, now or at a moment of the past: because it reached them, or as part of a history that they could read. The permissions are judged as of then, by the code that serves the present.',
    )
    .option('--at <moment>', momentHelp)
    .addHelpText(
      'after',
      `
Example:
  palimpsest audit who-could-see 41
  palimpsest audit who-could-see 41 --at 2026-11-20T18:00`,
    );
  runs(command, async () => (await import('./audience.js')).showAudience);
}

/** `palimpsest audit readers` */
export function readersCommand(audit: Command): void {
  const command = audit
    .command('readers')
    .argument('<message>', 'id of the message', wholeNumber)
    .summary('list who has read a message')
    .description(
      'Lists everyone who had a message marked as read, now or at a moment of the past, those too who do not send read receipts. Its sender is not among them.',
    )
    .option('--at <moment>', momentHelp)
    .addHelpText(
      'after',
      `
Example:
  palimpsest audit readers 41
  palimpsest audit readers 41 --at 2026-11-20T18:00`,
    );
  runs(command, async () => (await import('./audience.js')).showReaders);
}
