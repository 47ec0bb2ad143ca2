import type { Command } from 'commander';
import { withConfirmation } from '../confirmation.js';
import { collected, runs, wholeNumber } from '../command.js';

const about = (command: Command): Command =>
  command
    .option('--description <text>', 'a longer description of the case')
    .option(
      '--person <who>',
      'messages sent by an account, and direct messages with it: an id or an e-mail address',
      collected,
    )
    .option('--channel <which>', 'messages that are, or once were, in a channel: a name or an id', collected)
    .option('--from <time>', 'messages sent at or after this time')
    .option('--to <time>', 'messages sent at or before this time')
    .option('--words <words>', 'messages of which one version contains all of these words');

const load = () => import('./case.js');

/** Adds a command of `palimpsest audit case`. */
type AddCommand = (name: string, summary: string) => Command;

/** Defines `palimpsest audit case`. */
export function caseCommand(audit: Command): void {
  const root = audit
    .command('case')
    .summary('select messages; place a legal hold on them; search and export them')
    .description(
      'A case selects messages by people, channels, time and words. The commands use the running server, or the stores if no server is running. Every change, and every access to what a case covers, is recorded in the log, with the account of the operating system.',
    );
  const verb: AddCommand = (name, summary) => {
    const command = root
      .command(name)
      .summary(summary)
      .description(`${summary[0]!.toUpperCase()}${summary.slice(1)}.`);
    return name === 'list' || name === 'create'
      ? command
      : command.argument('<case>', 'number of the case', wholeNumber);
  };
  basicCommands(verb);
  stateCommands(verb);
  contentCommands(verb);
}

function basicCommands(verb: AddCommand): void {
  runs(verb('list', 'list all cases, including closed ones'), async () => (await load()).listCases);
  runs(
    about(verb('create', 'create a case').argument('<name>', 'name of the case: at most 100 code points')),
    async () => (await load()).createCase,
  );
  runs(
    about(
      verb('change', 'change a case: options that are left out change nothing').option(
        '--name <name>',
        'another name of the case',
      ),
    ),
    async () => (await load()).changeCase,
  );
  runs(
    verb('show', 'show a case, and with --size the number of messages that it covers').option(
      '--size',
      'count the messages that the case covers',
    ),
    async () => (await load()).showCase,
  );
}

function stateCommands(verb: AddCommand): void {
  runs(
    verb(
      'hold',
      'place a legal hold: the keys of all messages that the case covers are kept, even if the messages are deleted',
    ),
    async () => (await load()).holdCase,
  );
  runs(
    withConfirmation(
      verb('release', 'lift the legal hold: messages that it kept from being erased are erased'),
    ),
    async () => (await load()).releaseCase,
  );
  runs(withConfirmation(verb('close', 'close a case permanently')), async () => (await load()).closeCase);
}

function contentCommands(verb: AddCommand): void {
  runs(
    verb(
      'search',
      'search all versions of the messages that a case covers, including deleted messages whose keys still exist',
    )
      .argument('<words>', 'the words that a text must contain; words in quotation marks must be adjacent')
      .option('--after <message>', 'only messages with ids greater than this', wholeNumber),
    async () => (await load()).searchInCase,
  );
  runs(
    verb(
      'export',
      'export a case as a signed bundle: readable pages, data for programs, files, stored events and proofs',
    ).argument('<file>', 'path of a new file, such as case-1.zip'),
    async () => (await load()).exportCase,
  );
}
