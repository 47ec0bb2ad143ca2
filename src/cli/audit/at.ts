import type { Command } from 'commander';
import type { PastNode } from '../../audit/past/past-node.js';
import type { PastQuery } from '../../audit/past/past-api.js';
import { isOwner } from '../../users/roles.js';
import { CommandFailedError, exitCodes, MisusedError, runs, type CommandAction } from '../command.js';
import { momentHelp, parseMoment } from './moment.js';
import { openPast } from './past.js';
import { withLog } from './reading-log.js';

interface AtParameters {
  readonly moment: string;
  readonly query: string;
  readonly parameters: readonly string[];
  readonly as?: string;
}

/** `palimpsest audit at` */
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
  runs(at, askThePast);
}

const askThePast: CommandAction<AtParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async (stores) => {
    const node = await openPast({ configuration, stores, terminal }, parseMoment(parameters.moment));
    try {
      const userId = viewerOf(node, parameters.as);
      const query: PastQuery = {
        userId,
        path: parameters.query,
        parameters: parameters.parameters.map(pairOf),
      };
      const { openPastApi } = await import('../../audit/past/past-api.js');
      const api = await openPastApi(node);
      try {
        const { status, body } = await api.ask(query);
        await terminal.print(terminal.json ? body : JSON.stringify(JSON.parse(body), null, 2));
        return status === 200 ? exitCodes.done : exitCodes.failed;
      } finally {
        await api.close();
      }
    } finally {
      await node.close();
    }
  });

/** @throws CommandFailedError when nobody was named so then */
export function viewerOf({ follower, stores }: PastNode, named: string | undefined): number {
  const directory = follower.current();
  if (named === undefined) {
    for (const user of directory.users()) {
      if (isOwner(user) && user.isActive && user.bot === null) return user.id;
    }
    throw new CommandFailedError('Nobody owned the organization then: say --as whom.');
  }
  const user = /^\d+$/.test(named)
    ? directory.user(Number(named))
    : directory.userByEmailDigest(stores.vault.emailDigest(named));
  if (user === null) throw new CommandFailedError(`Nobody had the id or the e-mail address "${named}" then.`);
  return user.id;
}

function pairOf(text: string): readonly [string, string] {
  const parted = /^([^=]+)=(.*)$/s.exec(text);
  if (parted === null) throw new MisusedError(`"${text}" is not of the form name=value.`);
  return [parted[1]!, parted[2]!];
}
