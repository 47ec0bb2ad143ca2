import type { Command } from 'commander';
import { collected, runs, wholeNumber } from '../command.js';
import { momentHelp } from './moment.js';

/** `palimpsest audit log` */
export function logCommand(audit: Command): void {
  const log = audit
    .command('log')
    .summary('show the events of the log, in log order')
    .description(
      'Shows the events of the log, in log order: a sentence each, with people and channels called as they were then, or with --json one JSON object a line with all that is known.\nEvents must pass every filter; a filter that is given several times is passed by any of its values.',
    )
    .option(
      '--stream <name>',
      'events of a stream; users, channel-7, or message-* for all that begin so',
      collected,
    )
    .option('--type <type>', 'events of a type, such as MessageEdited', collected)
    .option('--actor <who>', 'what somebody did: an id, an e-mail address, or "server"', collected)
    .option('--message <id>', 'a message: its sending, its changes, and what names it', wholeNumber)
    .option('--about <who>', 'what somebody did, and what concerns them: an id or an e-mail address')
    .option(
      '--role <role>',
      'what people did while they were owner, administrator, moderator, member or guest',
      collected,
    )
    .option('--others', 'what people did to the messages of others')
    .option(
      '--channel <which>',
      'a channel, by name or id: its settings, its subscribers, what was sent or moved there',
    )
    .option('--from <moment>', `from a moment on: ${momentHelp}`)
    .option('--to <moment>', 'up to and including a moment')
    .option('--limit <count>', 'so many events at most', wholeNumber)
    .option('--csv', 'write comma-separated values, for spreadsheets')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest audit log --channel engines --from 2026-11-20 --to 2026-11-21T12:00
  palimpsest audit log --actor ada@example.com --type MessageEdited --type MessageDeleted
  palimpsest audit log --role administrator --others --csv
  palimpsest audit log --stream users --json | jq -r '.type'`,
    );
  runs(log, async () => (await import('./log.js')).showLog);
}
