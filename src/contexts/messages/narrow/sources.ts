import type { Channel } from '../../../access/records/channel.js';
import { receivedRanges } from '../../../access/records/subscription.js';
import type { Filter } from '../../../stores/read-store/port.js';
import type { Placement, PlacementVisibility } from '../placements.js';
import { channelHistory } from '../access.js';
import { idsIn, type IdRanges } from '../flags/id-ranges.js';
import { noTexts, type CompiledNarrow, type NarrowContext, type Source } from './compiled-narrow.js';

/** The person whose messages are searched. */
type SourceContext = Pick<NarrowContext, 'snapshot' | 'user' | 'placements' | 'flags' | 'conversations'>;

/**
 * The messages of one channel that the person may read: all, those of the periods in which they were
 * subscribed, or none.
 */
export function channelSources(context: SourceContext, channelId: number): readonly Source[] {
  const { snapshot, user } = context;
  const channel = snapshot.directory.channel(channelId);
  const history = channel === null ? 'none' : channelHistory(snapshot, user, channel);
  switch (history) {
    case 'all':
      return [{ filter: {}, channelIds: [channelId], after: 0, through: null, arrivals: null }];
    case 'received':
      return receivedSources(context, channelId);
    case 'none':
      return [];
  }
}

/**
 * The messages that the person received: direct messages, and channel messages while they were subscribed.
 */
export function personalSources(
  context: SourceContext,
  { directOnly }: { readonly directOnly: boolean },
): readonly Source[] {
  const { snapshot, user } = context;
  const direct = directSource(context);
  if (directOnly) return [direct];
  const readable = receivingChannels(context).filter(
    (channel) => channelHistory(snapshot, user, channel) !== 'none',
  );
  return [
    direct,
    ...readable.flatMap(({ id }) => receivedSources(context, id)),
    ...adoptedSources(context, snapshot.directory.channels()),
    ...givenSources(context),
  ];
}

/** All messages that ever reached the person, even if they may not read them any more. */
function everReceivedSources(context: SourceContext): readonly Source[] {
  const channels = receivingChannels(context);
  return [
    directSource(context),
    ...channels.flatMap(({ id }) => receivedSources(context, id)),
    ...givenSources(context),
  ];
}

/** The narrow of the messages within ranges of ids that ever reached the person. */
export function everReceivedWithin(context: SourceContext, within: IdRanges): CompiledNarrow {
  const sources = everReceivedSources(context);
  return { sources, conditions: [], indexed: [], listed: null, within, tests: [], texts: noTexts };
}

/** All messages that ever were the person's own: they reached the person, or the person starred them. */
export function everPersonalSources(context: SourceContext): readonly Source[] {
  const { adopted } = context.flags;
  if (adopted.length === 0) return everReceivedSources(context);
  const starred = { ...anywhere, filter: { $and: [{ _id: { $in: idsIn(adopted) } }] } };
  return [...everReceivedSources(context), starred];
}

/** Messages of any place and time. */
const anywhere = { channelIds: null, after: 0, through: null, arrivals: null };

/** The filter contains `channelId: null`, because the index of mentions does. */
function directSource({ user, conversations }: SourceContext): Source {
  const among =
    conversations === undefined
      ? { participantIds: user.id }
      : { conversation: conversations.length === 1 ? conversations[0] : { $in: conversations } };
  return { filter: { ...among, channelId: null }, channelIds: null, after: 0, through: null, arrivals: null };
}

/** Channels in which messages may have reached the person. */
function receivingChannels({ snapshot, user, placements }: SourceContext): readonly Channel[] {
  const channelIds = new Set(placements.channelIds());
  for (const { channelId } of snapshot.directory.subscriptionsOfUser(user.id)) channelIds.add(channelId);
  return [...channelIds].flatMap((id) => snapshot.directory.channel(id) ?? []);
}

/** The person's own messages of some channels: received or starred ones. */
export function personalChannelSources(
  context: SourceContext,
  channels: readonly Channel[],
): readonly Source[] {
  const { snapshot, user } = context;
  const readable = channels.filter((channel) => channelHistory(snapshot, user, channel) !== 'none');
  return [
    ...readable.flatMap(({ id }) => receivedSources(context, id)),
    ...adoptedSources(context, readable),
  ];
}

/** Messages that a bot was given because they mention it; people are given none. */
function givenSources({ snapshot, user }: SourceContext): readonly Source[] {
  if (user.bot === null) return [];
  const channelIds = [...snapshot.directory.channels()].map(({ id }) => id);
  const filter = { givenToIds: user.id, arrival: 0 };
  return [{ filter, channelIds, after: 0, through: null, arrivals: null }];
}

/** History that the person starred and may still read. */
function adoptedSources(
  { snapshot, user, flags }: SourceContext,
  channels: Iterable<Channel>,
): readonly Source[] {
  if (flags.adopted.length === 0) return [];
  const channelIds = [...channels]
    .filter((channel) => channelHistory(snapshot, user, channel) === 'all')
    .map(({ id }) => id);
  const filter = { $and: [{ _id: { $in: idsIn(flags.adopted) } }] };
  return [{ filter, channelIds, after: 0, through: null, arrivals: null }];
}

/**
 * The messages that reached the person in one channel: sent there while they were subscribed, or moved there
 * after they had reached them.
 */
export function receivedSources(context: SourceContext, channelId: number): readonly Source[] {
  const { snapshot, user, placements } = context;
  const moved = placements.to(channelId);
  const place = { channelIds: [channelId], filter: moved.length === 0 ? {} : { arrival: 0 } };
  const sent = periodsIn(context, channelId).map((period) => ({ ...period, ...place, arrivals: null }));
  const receiver = { directory: snapshot.directory, user };
  const reaches = moved.map(
    (arrival) => [arrival, placements.placementVisibility(arrival, receiver)] as const,
  );
  return [...sent, ...movedSources(context, channelId, reaches)];
}

type Period = Pick<Source, 'after' | 'through'>;

function periodsIn({ snapshot, user }: SourceContext, channelId: number): readonly Period[] {
  return receivedRanges(snapshot.directory.subscription(channelId, user.id));
}

/**
 * Placements with the same visibility share one source for each period, so the number of sources does not
 * grow with that of moves.
 */
function movedSources(
  context: SourceContext,
  channelId: number,
  reaches: readonly (readonly [Placement, PlacementVisibility])[],
): readonly Source[] {
  const alike = new Map<number | 'all', number[]>();
  for (const [{ _id }, reach] of reaches) {
    if (reach === 'none') continue;
    const key = reach === 'all' ? reach : reach.sentIn;
    const group = alike.get(key);
    if (group === undefined) alike.set(key, [_id]);
    else group.push(_id);
  }
  return [...alike].flatMap(([key, arrivals]) => {
    const periods = key === 'all' ? [{ after: 0, through: null }] : periodsIn(context, key);
    const filter = { arrival: { $in: arrivals } };
    return periods.map((period) => ({ ...period, filter, channelIds: [channelId], arrivals }));
  });
}

/** A window of ids, both ends included. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/**
 * A scan of one index for candidates: the first `limit` ids within a window, from one of its ends. All
 * messages of the narrow are among the candidates. Fewer than `limit` mean that there are no more.
 */
export type IndexScan = (window: Window, order: 1 | -1, limit: number) => Promise<readonly number[]>;

/**
 * One filter for all the sources within a window; null when no source reaches into it. Each branch repeats
 * every condition, so that one index can serve it in order.
 */
export function filterWithin(
  { sources, conditions }: Pick<CompiledNarrow, 'sources' | 'conditions'>,
  window: Window,
): Filter | null {
  const branches = sources.flatMap(({ filter, channelIds, after, through }): Filter[] => {
    const from = Math.max(after + 1, window.from);
    const to = Math.min(through ?? MAX_MESSAGE_ID, window.to);
    if (from > to) return [];
    const _id = { $gte: from, ...(to < MAX_MESSAGE_ID && { $lte: to }) };
    const within = { ...channelFilter(channelIds), ...filter, _id };
    return [conditions.length === 0 ? within : { $and: [within, ...conditions] }];
  });
  const [only] = branches;
  if (only === undefined) return null;
  return branches.length === 1 ? only : { $or: branches };
}

/**
 * One filter for messages of the window that are looked up by id, where indexes do not matter: each condition
 * stands once, and channels with the same filter are combined.
 */
export function filterAmong(
  { sources, conditions }: Pick<CompiledNarrow, 'sources' | 'conditions'>,
  window: Window,
): Filter | null {
  const groups = new Map<string, { readonly filter: Filter; readonly channelIds: number[] | null }>();
  for (const { filter, channelIds, after, through } of sources) {
    const [from, to] = [Math.max(after + 1, window.from), Math.min(through ?? MAX_MESSAGE_ID, window.to)];
    if (from > to) continue;
    const isWhole = from === window.from && to === window.to;
    const within = isWhole ? filter : { ...filter, _id: { $gte: from, $lte: to } };
    const name = JSON.stringify([channelIds === null, within]);
    const group = groups.get(name) ?? { filter: within, channelIds: channelIds && [] };
    groups.set(name, group);
    group.channelIds?.push(...(channelIds ?? []));
  }
  const branches = [...groups.values()].map(({ filter, channelIds }): Filter => ({
    ...channelFilter(channelIds),
    ...filter,
  }));
  const [only] = branches;
  if (only === undefined) return null;
  return { $and: [...conditions, branches.length === 1 ? only : { $or: branches }] };
}

function channelFilter(channelIds: Source['channelIds']): Filter {
  if (channelIds === null) return {};
  return { channelId: channelIds.length === 1 ? channelIds[0] : { $in: channelIds } };
}

/** The anchor that means the newest message; no id is larger. */
export const MAX_MESSAGE_ID = 10_000_000_000_000_000;

/** The window of all ids. */
export const everything: Window = { from: 1, to: MAX_MESSAGE_ID };
