import type { Channel } from '../../channels/channel.js';
import type { Filter } from '../../read-store/port.js';
import { channelHistory } from '../access.js';
import { idsIn } from '../flags/id-ranges.js';
import type { FlaggedMessage } from '../flags/personal-flags.js';
import type { CompiledNarrow, NarrowContext } from './compile.js';

/** A stretch of messages that one index serves in order: the ids after `after`, up to `through`, where `filter` holds. */
export interface Source {
  readonly filter: Filter;
  readonly after: number;
  /** Null: to the end. */
  readonly through: number | null;
}

/** What of a message is asked for when a narrow cannot be answered from an index alone. */
export type FoundMessage = FlaggedMessage;

/** What the person may read of one channel: all of it, the periods in which they were subscribed, or nothing. */
export function channelSources({ moment, user }: NarrowContext, channelId: number): readonly Source[] {
  const channel = moment.directory.channel(channelId);
  const history = channel === null ? 'none' : channelHistory(moment, user, channel);
  switch (history) {
    case 'all':
      return [{ filter: { channelId }, after: 0, through: null }];
    case 'received':
      return receivedSources({ moment, user }, channelId);
    case 'none':
      return [];
  }
}

/** What the person received: direct messages, and messages of channels while they were subscribed. */
export function personalSources(
  { moment, user, flags }: Pick<NarrowContext, 'moment' | 'user' | 'flags'>,
  { directOnly }: { readonly directOnly: boolean },
): readonly Source[] {
  const direct: Source = { filter: { participantIds: user.id }, after: 0, through: null };
  if (directOnly) return [direct];
  const sources = [direct];
  for (const { channelId } of moment.directory.subscriptionsOfUser(user.id)) {
    const channel = moment.directory.channel(channelId);
    if (channel !== null && channelHistory(moment, user, channel) !== 'none') {
      sources.push(...receivedSources({ moment, user }, channelId));
    }
  }
  return [...sources, ...adoptedSources({ moment, user, flags }, moment.directory.channels())];
}

/** Of some channels, what is the person's own: received, or starred. */
export function personalChannelSources(
  context: Pick<NarrowContext, 'moment' | 'user' | 'flags'>,
  channels: readonly Channel[],
): readonly Source[] {
  const { moment, user } = context;
  const readable = channels.filter((channel) => channelHistory(moment, user, channel) !== 'none');
  return [
    ...readable.flatMap(({ id }) => receivedSources(context, id)),
    ...adoptedSources(context, readable),
  ];
}

/** History that the person starred, as far as they may still read it. */
function adoptedSources(
  { moment, user, flags }: Pick<NarrowContext, 'moment' | 'user' | 'flags'>,
  channels: Iterable<Channel>,
): readonly Source[] {
  if (flags.adopted.length === 0) return [];
  const channelIds = [...channels]
    .filter((channel) => channelHistory(moment, user, channel) === 'all')
    .map(({ id }) => id);
  const adopted = [{ _id: { $in: idsIn(flags.adopted) } }, { channelId: { $in: channelIds } }];
  return [{ filter: { $and: adopted }, after: 0, through: null }];
}

/** The periods of one channel in which the person was subscribed. */
export function receivedSources(
  { moment, user }: Pick<NarrowContext, 'moment' | 'user'>,
  channelId: number,
): readonly Source[] {
  const periods = moment.directory.subscription(channelId, user.id)?.periods ?? [];
  return periods.map(({ after, through }) => ({ filter: { channelId }, after, through }));
}

/** A window of ids, both ends within it. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/**
 * One filter for all the sources within a window; null when none reaches into it. Each branch carries every condition, so
 * that each can be answered from one index in order.
 */
export function filterWithin(
  { sources, conditions }: Pick<CompiledNarrow, 'sources' | 'conditions'>,
  window: Window,
): Filter | null {
  const branches = sources.flatMap(({ filter, after, through }): Filter[] => {
    const from = Math.max(after + 1, window.from);
    const to = Math.min(through ?? largestMessageId, window.to);
    if (from > to) return [];
    const within = { ...filter, _id: { $gte: from, ...(to < largestMessageId && { $lte: to }) } };
    return [conditions.length === 0 ? within : { $and: [within, ...conditions] }];
  });
  const [only] = branches;
  if (only === undefined) return null;
  return branches.length === 1 ? only : { $or: branches };
}

/** The anchor that means the newest message; no id is larger. */
export const largestMessageId = 10_000_000_000_000_000;
