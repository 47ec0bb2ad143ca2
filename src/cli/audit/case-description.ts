import type { CaseChange } from '../../audit/cases/case.decide.js';
import type { CaseDescription } from '../../audit/cases/case.state.js';
import type { Configuration } from '../../config.js';
import { MisusedError } from '../command.js';
import { parseMoment } from './moment.js';
import { channelNamed, personNamed, readNames, withLog } from './reading-log.js';

/** The options that describe a case. */
export interface CaseOptions {
  readonly name?: string;
  readonly description?: string;
  readonly person?: readonly string[];
  readonly channel?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly words?: string;
}

/** The description of a new case. Options that are absent do not restrict it. */
export async function describedBy(
  options: CaseOptions & { readonly name: string },
  configuration: Configuration,
): Promise<CaseDescription> {
  const { scope, ...described } = await changedBy(options, configuration);
  const everything = { userIds: [], channelIds: [], since: null, until: null };
  return {
    name: options.name,
    description: '',
    words: null,
    ...described,
    scope: { ...everything, ...scope },
  };
}

/** The change of a case. Options that are absent change nothing. */
export function changedBy(
  { name, description, person, channel, from, to, words }: CaseOptions,
  configuration: Configuration,
): Promise<CaseChange> {
  return withLog(configuration, async (stores) => {
    const names = await readNames(stores);
    const scope = {
      ...(person && { userIds: person.map((who) => personNamed(names, who)) }),
      ...(channel && { channelIds: channel.map((which) => channelNamed(names, which)) }),
      ...(from !== undefined && { since: timeOf(from) }),
      ...(to !== undefined && { until: timeOf(to) }),
    };
    return {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(words !== undefined && { words: words === '' ? null : words }),
      scope,
    };
  });
}

function timeOf(text: string): number {
  const moment = parseMoment(text);
  if ('time' in moment) return moment.time;
  throw new MisusedError(`"${text}" is not a time.`);
}
