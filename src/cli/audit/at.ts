import type { PastNode } from '../../node/past-node.js';
import type { PastQuery } from '../../audit/past/past-api.js';
import { isActiveOwner } from '../../access/records/roles.js';
import { CommandFailedError, exitCodes, MisusedError, type CommandAction } from '../command.js';
import { parseMoment } from './moment.js';
import { recordAuditAccess } from './record-audit-access.js';
import { openPast } from './past.js';
import { withLog } from './reading-log.js';
import { printableJson } from '../terminal-text.js';

/** The arguments and options of `palimpsest audit at`. */
interface AtParameters {
  readonly moment: string;
  readonly query: string;
  readonly parameters: readonly string[];
  readonly as?: string;
}

/** Length in characters at which a query is cut in the record of the access. */
const MAX_NOTED = 1_000;

/** What `palimpsest audit at` does. */
export const queryPast: CommandAction<AtParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async (stores) => {
    const to = parseMoment(parameters.moment);
    const node = await openPast({ configuration, stores, terminal }, to);
    try {
      const userId = viewerOf(node, parameters.as);
      const text = [parameters.query, ...parameters.parameters].join(' ').slice(0, MAX_NOTED);
      await recordAuditAccess(
        { configuration, terminal },
        { view: 'past', selection: { to, viewerId: userId }, text },
      );
      const query: PastQuery = {
        userId,
        path: parameters.query,
        parameters: parameters.parameters.map(pairOf),
      };
      const { openPastApi } = await import('../../node/past-api.js');
      const api = await openPastApi(node);
      try {
        const { status, body } = await api.ask(query);
        const answer = { as_of: shownEnd(node), ...(JSON.parse(body) as object) };
        await terminal.print(printableJson(JSON.stringify(answer, null, terminal.json ? undefined : 2)));
        return status === 200 ? exitCodes.done : exitCodes.failed;
      } finally {
        await api.close();
      }
    } finally {
      await node.close();
    }
  });

/** The end of the log as the answer knows it: the last position that was read, and the time. */
function shownEnd({ end: { position, now } }: PastNode): {
  readonly position: number;
  readonly time: string;
} {
  return { position, time: new Date(now).toISOString() };
}

/** @throws CommandFailedError when there was no such account at that time */
function viewerOf({ follower, stores }: PastNode, named: string | undefined): number {
  const directory = follower.current();
  if (named === undefined) {
    for (const user of directory.users()) {
      if (isActiveOwner(user)) return user.id;
    }
    throw new CommandFailedError('Nobody owned the organization then: say --as whom.');
  }
  const user = /^\d+$/.test(named)
    ? directory.user(Number(named))
    : directory.findByEmailDigest(stores.vault.emailDigest(named));
  if (user === null) throw new CommandFailedError(`Nobody had the id or the e-mail address "${named}" then.`);
  return user.id;
}

function pairOf(text: string): readonly [string, string] {
  const parted = /^([^=]+)=(.*)$/s.exec(text);
  if (parted === null) throw new MisusedError(`"${text}" is not of the form name=value.`);
  return [parted[1]!, parted[2]!];
}
