import { csvLine } from '../../audit/csv-line.js';
import { plain } from '../../audit/sentences/wording.js';
import { audienceOf, readersIn, shownMember, type AudienceMember } from '../../audit/past/audience.js';
import { lastMessageAt } from '../../audit/past/conversation/past-conversation-view.js';
import { deletionOf } from '../../audit/message-timeline/sent-message.js';
import type { EventStore } from '../../stores/event-store/port.js';
import { CommandFailedError, exitCodes, type CommandAction } from '../command.js';
import { tableOf } from '../terminal.js';
import { refuseTwoFormats } from './log.js';
import { parseMoment, shownTime } from './moment.js';
import { recordAuditAccess } from './record-audit-access.js';
import { openPast } from './past.js';
import { pastSourcesIn } from './past-sources.js';
import { withLog } from './reading-log.js';

/** The arguments and options of `palimpsest audit who-could-see` and `palimpsest audit readers`. */
interface AudienceParameters {
  readonly message: number;
  readonly at?: string;
  readonly csv?: boolean;
}

/** What `palimpsest audit who-could-see` does. */
export const showAudience: CommandAction<AudienceParameters> = listing('audience', (audience) => audience);

/** What `palimpsest audit readers` does. */
export const showReaders: CommandAction<AudienceParameters> = listing('readers', readersIn);

type Shown = (audience: readonly AudienceMember[]) => readonly AudienceMember[];

function listing(view: 'audience' | 'readers', shownOf: Shown): CommandAction<AudienceParameters> {
  return ({ message, at, csv = false }, { configuration, terminal }) =>
    withLog(configuration, async (stores) => {
      refuseTwoFormats({ csv }, terminal);
      const end = (await stores.eventStore.head()) ?? 0;
      const moment = at === undefined ? { position: end } : parseMoment(at);
      const to = at === undefined ? null : moment;
      await recordAuditAccess({ configuration, terminal }, { view, selection: { messageId: message, to } });
      const node = await openPast({ configuration, stores, terminal }, moment);
      try {
        const lastMessageId = await lastMessageAt(stores.eventStore, node.end.position);
        const audience = await audienceOf(await pastSourcesIn(node), message, { ...node.end, lastMessageId });
        if (audience === null) throw await absence(stores.eventStore, message, node.end.position);
        const shown = shownOf(audience);
        for (const line of linesOf(shown, { isJson: terminal.json, isCsv: csv })) await terminal.print(line);
        return exitCodes.done;
      } finally {
        await node.close();
      }
    });
}

/** Says that the message was not there and, if it had been deleted, the last position at which it was. */
async function absence(store: EventStore, message: number, end: number): Promise<CommandFailedError> {
  const deletedAt = await deletionOf(store, message);
  if (deletedAt === null || deletedAt > end)
    return new CommandFailedError(`There was no message ${message} then.`);
  const last = deletedAt - 1;
  return new CommandFailedError(
    `Message ${message} was deleted at position ${deletedAt}: --at ${last} shows the last moment at which it was there.`,
  );
}

function linesOf(
  audience: readonly AudienceMember[],
  { isJson, isCsv }: { readonly isJson: boolean; readonly isCsv: boolean },
): readonly string[] {
  if (isJson) return audience.map((one) => JSON.stringify(shownMember(one)));
  if (!isCsv) return table(audience);
  const heading = [
    'user_id',
    'full_name',
    'access',
    'has_read',
    'is_sender',
    'marked_read',
    'read_at',
    'read_position',
  ];
  const rows = audience.map(({ userId, name, access, hasRead, reading, isSender, markedRead }) => [
    String(userId),
    name ?? '',
    access,
    String(hasRead),
    String(isSender),
    String(markedRead),
    reading === null ? '' : new Date(reading.at).toISOString(),
    String(reading?.position ?? ''),
  ]);
  return [heading, ...rows].map(csvLine);
}

function table(audience: readonly AudienceMember[]): readonly string[] {
  return tableOf(
    ['id', 'name', 'how', 'read', 'when'],
    audience.map(({ userId, name, access, hasRead, reading, markedRead }) => [
      String(userId),
      plain(name ?? ''),
      access === 'received' ? 'received it' : 'as part of the history',
      hasRead ? 'yes' : markedRead ? 'marked as read' : 'no',
      reading === null ? '' : shownTime(reading.at),
    ]),
  );
}
