import type { Command } from 'commander';
import { collected, runs, wholeNumber } from '../command.js';
import { momentHelp } from './moment.js';

/** Defines `palimpsest audit log`. */
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
    .option(
      '--message <id>',
      'a message: its sending, its changes, moves that took it along, and what names it',
      wholeNumber,
    )
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

/** Defines `palimpsest audit person`. */
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

/** Defines `palimpsest audit channel`. */
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

/** Defines `palimpsest audit history`. */
export function historyCommand(audit: Command): void {
  const history = audit
    .command('history')
    .argument('<message>', 'id of the message', wholeNumber)
    .summary('show the whole life of a message')
    .description(
      'Shows the whole life of a message, also after it was deleted: what it said (with what each edit took out and put in), where it lay, who reacted to it, who did each of these things, when, and with which program.',
    )
    .option('--as <who>', 'what a person, by id or e-mail address, could see of it, and when')
    .option('--csv', 'write comma-separated values, for spreadsheets')
    .addHelpText(
      'after',
      `
In texts, [-this-] was taken out and {+that+} was put in. What was erased for good is shown as (erased).

Example:
  palimpsest audit history 41
  palimpsest audit history 41 --as ben@example.com
  palimpsest audit history 41 --csv`,
    );
  runs(history, async () => (await import('./history.js')).showHistory);
}

/** Defines `palimpsest audit at`. */
export function atCommand(audit: Command): void {
  const at = audit
    .command('at')
    .argument('<moment>', momentHelp)
    .argument('<query>', 'path of a GET of the API, such as messages or users/me/subscriptions')
    .argument('[parameters...]', 'its parameters, name=value')
    .summary('ask the API what it would have answered in the past')
    .description(
      'Answers any query of the API as of a moment of the past: what people could see then, who was subscribed where, how a channel was set. The read models that the query needs are built from the log up to that moment, in a folder for temporary files, and asked by the very code that serves the present. Content that was erased since stays erased.',
    )
    .option('--as <who>', 'whose view it is: an id or an e-mail address; an owner’s if nobody is named')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest audit at 2026-11-20T18:00 messages --as ada@example.com anchor=newest num_before=20 num_after=0 \\
      'narrow=[{"operator":"channel","operand":"engines"}]'
  palimpsest audit at 1234 users/me/subscriptions --as 12
  palimpsest audit at 2026-11-20 users/12
  palimpsest audit at 2026-11-20 streams/3`,
    );
  runs(at, async () => (await import('./at.js')).askThePast);
}

/** Defines `palimpsest audit who-could-see`. */
export function whoCouldSeeCommand(audit: Command): void {
  const command = audit
    .command('who-could-see')
    .argument('<message>', 'id of the message', wholeNumber)
    .summary('list who could see a message')
    .description(
      'Lists everyone whose account could see a message, now or at a moment of the past: because it reached them, or as part of a history that they could read. The permissions are judged as of then, by the code that serves the present.',
    )
    .option('--at <moment>', momentHelp)
    .option('--csv', 'write comma-separated values, for spreadsheets')
    .addHelpText(
      'after',
      `
Example:
  palimpsest audit who-could-see 41
  palimpsest audit who-could-see 41 --at 2026-11-20T18:00 --csv`,
    );
  runs(command, async () => (await import('./audience.js')).showAudience);
}

/** Defines `palimpsest audit readers`. */
export function readersCommand(audit: Command): void {
  const command = audit
    .command('readers')
    .argument('<message>', 'id of the message', wholeNumber)
    .summary('list who has read a message')
    .description(
      'Lists everyone who had a message marked as read, now or at a moment of the past, those too who do not send read receipts. Its sender is not among them.',
    )
    .option('--at <moment>', momentHelp)
    .option('--csv', 'write comma-separated values, for spreadsheets')
    .addHelpText(
      'after',
      `
Example:
  palimpsest audit readers 41
  palimpsest audit readers 41 --at 2026-11-20T18:00`,
    );
  runs(command, async () => (await import('./audience.js')).showReaders);
}
