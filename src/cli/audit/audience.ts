import { audienceOf, type AudienceMember } from '../../audit/past/audience.js';
import { CommandFailedError, exitCodes, type CommandAction } from '../command.js';
import { tableOf } from '../table.js';
import { parseMoment } from './moment.js';
import { openPast } from './past.js';
import { withLog } from './reading-log.js';

/** What the command line says for `palimpsest audit who-could-see` and `palimpsest audit readers`. */
export interface AudienceParameters {
  readonly message: number;
  readonly at?: string;
}

/** What `palimpsest audit who-could-see` does. */
export const showAudience: CommandAction<AudienceParameters> = listing(() => true);

/** What `palimpsest audit readers` does. */
export const showReaders: CommandAction<AudienceParameters> = listing(({ hasRead }) => hasRead);

function listing(isShown: (member: AudienceMember) => boolean): CommandAction<AudienceParameters> {
  return ({ message, at }, { configuration, terminal }) =>
    withLog(configuration, async (stores) => {
      const end = (await stores.eventStore.head()) ?? 0;
      const moment = at === undefined ? { position: end } : parseMoment(at);
      const node = await openPast({ configuration, stores, terminal }, moment);
      try {
        const audience = await audienceOf(node, message);
        if (audience === null) throw new CommandFailedError(`There was no message ${message} then.`);
        const shown = audience.filter(isShown);
        for (const line of terminal.json ? shown.map((one) => JSON.stringify(one)) : table(shown))
          await terminal.print(line);
        return exitCodes.done;
      } finally {
        await node.close();
      }
    });
}

function table(audience: readonly AudienceMember[]): readonly string[] {
  return tableOf(
    ['id', 'name', 'how', 'read'],
    audience.map(({ userId, name, access, hasRead }) => [
      String(userId),
      name,
      access === 'received' ? 'received it' : 'as part of the history',
      hasRead ? 'yes' : 'no',
    ]),
  );
}
