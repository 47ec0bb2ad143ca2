import type { Command } from 'commander';
import { runs, wholeNumber } from '../command.js';

/** `palimpsest audit history` */
export function historyCommand(audit: Command): void {
  const history = audit
    .command('history')
    .argument('<message>', 'id of the message', wholeNumber)
    .summary('show the whole life of a message')
    .description(
      'Shows the whole life of a message, also after it was deleted: what it said (with what each edit took out and put in), where it lay, who reacted to it, who did each of these things, when, and with which program.',
    )
    .option('--as <who>', 'what a person, by id or e-mail address, could see of it, and when')
    .addHelpText(
      'after',
      `
In texts, [-this-] was taken out and {+that+} was put in. What was erased for good is shown as (erased).

Example:
  palimpsest audit history 41
  palimpsest audit history 41 --as ben@example.com`,
    );
  runs(history, async () => (await import('./history.js')).showHistory);
}
