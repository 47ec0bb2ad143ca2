import type { Command } from 'commander';
import { collected, runs, wholeNumber } from '../command.js';
import { MOMENT_HELP } from './moment.js';

/** Defines `palimpsest audit log`. */
export function logCommand(audit: Command): void {
  const log = audit
    .command('log')
    .summary('show the events of the log, in the order of the log')
    .description(
      'Shows the events of the log, in the order of the log: one sentence per event, with the names that people and channels had at the time, or with --json one JSON object per line with all data.\nAn event must match all filters. If a filter is given several times, it must match one of the values.',
    )
    .option(
      '--stream <name>',
      'events of a stream, such as users or channel-7; message-* for all streams whose names begin with message-',
      collected,
    )
    .option('--type <type>', 'events of a type, such as MessageEdited', collected)
    .option('--actor <who>', 'events by an actor: an account id, an e-mail address, or "server"', collected)
    .option(
      '--message <id>',
      'events that concern a message: its sending, changes, moves, and other events that refer to it',
      wholeNumber,
    )
    .option('--about <who>', 'events by an account or about it: an id or an e-mail address')
    .option(
      '--role <role>',
      'events by people who had this role at the time: owner, administrator, moderator, member or guest',
      collected,
    )
    .option('--content <whose>', 'what people did to their "own" messages, or to messages of "others"')
    .option('--others', 'the same as --content others')
    .option(
      '--channel <which>',
      'events that concern a channel (name or id): its settings, its subscribers, messages sent or moved there',
    )
    .option(
      '--topic <name>',
      'with --channel: events that concern a topic of the channel: messages sent to it, and moves from it or to it',
    )
    .option('--from <moment>', `from this moment on: ${MOMENT_HELP}`)
    .option('--to <moment>', 'up to and including this moment')
    .option('--limit <count>', 'show at most this many events', wholeNumber)
    .option('--csv', 'write comma-separated values, for spreadsheets')
    .addHelpText(
      'after',
      `
Examples:
  palimpsest audit log --channel engines --from 2026-11-20 --to 2026-11-21T12:00
  palimpsest audit log --channel engines --topic boilers --content own
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
    .summary('show the events of an account')
    .description(
      'Shows the events of an account, in the order of the log: roles, names, groups, channels, devices, log-ins, and API keys issued and revoked; not what the person wrote and read.',
    );
  withFormats(command, 'palimpsest audit person ada@example.com --from 2026-11-20');
  runs(command, async () => (await import('./timelines.js')).showPerson);
}

/** Defines `palimpsest audit channel`. */
export function channelCommand(audit: Command): void {
  const command = audit
    .command('channel')
    .argument('<which>', 'name or id of the channel')
    .summary('show the events of a channel')
    .description(
      'Shows the events of a channel, in the order of the log: its names, permissions, privacy and members; not the messages sent to it.',
    );
  withFormats(command, 'palimpsest audit channel engines --csv');
  runs(command, async () => (await import('./timelines.js')).showChannel);
}

function withFormats(command: Command, example: string): void {
  command
    .option('--from <moment>', `from this moment on: ${MOMENT_HELP}`)
    .option('--to <moment>', 'up to and including this moment')
    .option('--limit <count>', 'show at most this many events', wholeNumber)
    .option('--csv', 'write comma-separated values, for spreadsheets')
    .addHelpText('after', `\nExample:\n  ${example}`);
}

/** Defines `palimpsest audit history`. */
export function historyCommand(audit: Command): void {
  const history = audit
    .command('history')
    .argument('<message>', 'id of the message', wholeNumber)
    .summary('show all events of a message')
    .description(
      'Shows all events of a message, even if it was deleted: its texts (with the parts that each edit removed and inserted), the channels and topics that it was in, and its reactions; each with the actor, the time and the client program.',
    )
    .option('--as <who>', 'what an account (id or e-mail address) could see of the message, and when')
    .option('--csv', 'write comma-separated values, for spreadsheets')
    .addHelpText(
      'after',
      `
In texts, [-this-] was removed and {+that+} was inserted. Erased texts are shown as (erased).

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
    .argument('<moment>', MOMENT_HELP)
    .argument('<query>', 'path of a GET request of the API, such as messages or users/me/subscriptions')
    .argument('[parameters...]', 'parameters of the request, as name=value')
    .summary('show what the API would have replied at a past moment')
    .description(
      'Replies to any query of the API as of a past moment: what people could see, who was subscribed to which channels, which settings a channel had. The read models that the query needs are built in a temporary folder from the log up to that moment, and queried by the same code that serves the API. Content that was erased since then stays erased.',
    )
    .option('--as <who>', 'the account that makes the request: an id or an e-mail address; absent: an owner')
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
  runs(at, async () => (await import('./at.js')).queryPast);
}

/** Defines `palimpsest audit who-could-see`. */
export function whoCouldSeeCommand(audit: Command): void {
  const command = audit
    .command('who-could-see')
    .argument('<message>', 'id of the message', wholeNumber)
    .summary('list who could see a message')
    .description(
      'Lists all accounts that can see a message, now or at a past moment: because they received it, or because they can read the history that it is part of. The permissions are those of that moment.',
    )
    .option('--at <moment>', MOMENT_HELP)
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
      'Lists all accounts that have marked a message as read, now or at a past moment, including those that do not send read receipts. The sender is not listed.',
    )
    .option('--at <moment>', MOMENT_HELP)
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
