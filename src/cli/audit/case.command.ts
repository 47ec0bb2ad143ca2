import type { Command } from 'commander';
import { withConfirmation } from '../confirmation.js';
import { collected, runs, wholeNumber } from '../command.js';

const about = (command: Command): Command =>
  command
    .option('--description <text>', 'what it is about, at length')
    .option(
      '--person <who>',
      'messages by somebody, and direct messages with them: an id or an e-mail address',
      collected,
    )
    .option(
      '--channel <which>',
      'messages that lie in a channel, or have lain in it: a name or an id',
      collected,
    )
    .option('--from <time>', 'messages sent at or after a time')
    .option('--to <time>', 'messages sent at or before a time')
    .option('--words <words>', 'messages one version of which has all of these words');

/** Defines `palimpsest audit case`. */
export function caseCommand(audit: Command): void {
  const root = audit
    .command('case')
    .summary('collect messages, keep them by a legal hold, search and export them')
    .description(
      'Cases say which messages matter: by people, channels, time and words. The running server does what is asked, or, when none runs, the tool itself. Each act and each look is recorded in the log, with the operating system’s account.',
    );
  const verb = (name: string, summary: string): Command => {
    const command = root
      .command(name)
      .summary(summary)
      .description(`${summary[0]!.toUpperCase()}${summary.slice(1)}.`);
    return name === 'list' || name === 'create'
      ? command
      : command.argument('<case>', 'its number', wholeNumber);
  };
  const load = () => import('./case.js');
  runs(verb('list', 'list the cases, closed ones included'), async () => (await load()).listCases);
  runs(
    about(verb('create', 'begin a case').argument('<name>', 'at most 100 code points')),
    async () => (await load()).createCase,
  );
  runs(
    verb('show', 'show a case, and with --size how much it covers').option('--size', 'count what it covers'),
    async () => (await load()).showCase,
  );
  runs(
    verb('hold', 'place a legal hold: the keys of what the case covers are kept, whoever deletes it'),
    async () => (await load()).holdCase,
  );
  runs(
    withConfirmation(verb('release', 'lift the legal hold: what was to be erased meanwhile is erased')),
    async () => (await load()).releaseCase,
  );
  runs(withConfirmation(verb('close', 'close a case for good')), async () => (await load()).closeCase);
  runs(
    verb(
      'search',
      'search every version of what a case covers, deleted texts included whose keys still exist',
    )
      .argument('<words>', 'all of these words; in quotation marks, side by side')
      .option('--after <message>', 'only messages after this id', wholeNumber),
    async () => (await load()).searchInCase,
  );
  runs(
    verb(
      'export',
      'make a bundle of a case: to read, to process, with files, stored events and proofs, signed',
    ).argument('<file>', 'a new file, such as case-1.zip'),
    async () => (await load()).exportCase,
  );
}
