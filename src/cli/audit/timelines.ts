import { channelTimeline, personTimeline } from '../../audit/log/timelines.js';
import type { LogSelection } from '../../audit/log/log-selection.js';
import type { Names } from '../../audit/names.js';
import type { CommandAction } from '../command.js';
import { beginning, ending, printEvents, refuseTwoFormats, type EventFormat } from './log.js';
import { parseMoment } from './moment.js';
import { recordAuditAccess, type OperatorAccess } from './record-audit-access.js';
import { channelNamed, personNamed, readNames, withLog } from './reading-log.js';

interface TimelineParameters extends EventFormat {
  readonly from?: string;
  readonly to?: string;
}

/** The arguments and options of `palimpsest audit person`. */
interface PersonParameters extends TimelineParameters {
  readonly who: string;
}

/** The arguments and options of `palimpsest audit channel`. */
interface ChannelParameters extends TimelineParameters {
  readonly which: string;
}

/** What `palimpsest audit person` does: the query of GET /audit/people/{user_id}. */
export const showPerson: CommandAction<PersonParameters> = showing(({ who }, names) => {
  const userId = personNamed(names, who);
  return { selection: personTimeline(userId), access: { view: 'person', asked: { userId } } };
});

/** What `palimpsest audit channel` does: the query of GET /audit/channels/{channel_id}. */
export const showChannel: CommandAction<ChannelParameters> = showing(({ which }, names) => {
  const channelId = channelNamed(names, which);
  return { selection: channelTimeline(channelId), access: { view: 'channel', asked: { channelId } } };
});

interface SelectedTimeline {
  readonly selection: LogSelection;
  readonly access: OperatorAccess;
}

function showing<Parameters extends TimelineParameters>(
  timelineOf: (parameters: Parameters, names: Names) => SelectedTimeline,
): CommandAction<Parameters> {
  return (parameters, { configuration, terminal }) =>
    withLog(configuration, async (stores) => {
      refuseTwoFormats(parameters, terminal);
      const { from, to } = parameters;
      const { selection, access } = timelineOf(parameters, await readNames(stores));
      const range = {
        ...(from !== undefined && beginning(from)),
        ...(to !== undefined && ending(to)),
      };
      const moments = {
        from: from === undefined ? null : parseMoment(from),
        to: to === undefined ? null : parseMoment(to),
      };
      await recordAuditAccess({ configuration, terminal }, { ...access, selection: moments });
      return printEvents({ configuration, stores, terminal }, { ...selection, ...range }, parameters);
    });
}
