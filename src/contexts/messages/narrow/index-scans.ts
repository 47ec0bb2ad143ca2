import type { Filter } from '../../../stores/read-store/port.js';
import { someWithin } from '../flags/id-ranges.js';
import type { SearchedTexts } from '../text-search/searched-texts.js';
import { EVERYONE_MENTIONED, MANY_MENTIONED } from '../mentions.js';
import type { CompiledNarrow, IndexedCondition, Source } from './compiled-narrow.js';
import { filterWithin, type IndexScan } from './sources.js';
import type { Term } from './terms.js';

/** Finds the first `limit` ids of messages that match a filter, in this order. */
export type FindIds = (filter: Filter, order: 1 | -1, limit: number) => Promise<readonly number[]>;

/** The condition under which an index finds the messages of a term; null: no index serves the term. */
export function indexedConditionOf(
  { operator, operand }: Term,
  condition: Filter | null,
  userId: number,
): IndexedCondition | null {
  if (condition === null) return null;
  switch (operator) {
    case 'has':
    case 'sender':
      return { inChannels: condition, inDirect: { participantIds: userId, ...condition }, isOwn: true };
    case 'mentions': {
      const { mentionedIds } = condition;
      return whereverIs({ mentionedIds }, mentionedIds === userId);
    }
    case 'is':
      if (operand === 'mentioned')
        return whereverIs({ mentionedIds: { $in: [userId, EVERYONE_MENTIONED, MANY_MENTIONED] } }, true);
      return operand === 'alerted' || operand === 'resolved' ? whereverIs(condition, true) : null;
    default:
      return null;
  }
}

function whereverIs(filter: Filter, isOwn: boolean): IndexedCondition {
  return { inChannels: filter, inDirect: { ...filter, channelId: null }, isOwn };
}

/** What scans are run against. */
interface ScanTargets {
  readonly findIds: FindIds;
  readonly texts: Pick<SearchedTexts, 'scans'>;
}

/**
 * The index scans for a narrow. Each reads one index, and all messages of the narrow are among its candidates, so a
 * search can use the scan with the fewest candidates. The first scan usually has few. Empty: the filters of the sources
 * suffice.
 */
export async function indexScansOf(
  narrow: CompiledNarrow,
  { findIds, texts }: ScanTargets,
): Promise<readonly IndexScan[]> {
  const { sources, listed, indexed: leads } = narrow;
  const scanOf =
    (among: readonly Source[]): IndexScan =>
    async (window, order, limit) => {
      const filter = filterWithin({ sources: among, conditions: [] }, window);
      return filter === null ? [] : findIds(filter, order, limit);
    };
  const channelIds = new Set(sources.flatMap((source) => source.channelIds ?? []));
  const scans = [
    ...(await texts.scans(channelIds)),
    ...leads.map((lead) => scanOf(sourcesOfCondition(sources, lead))),
  ];
  if (listed !== null)
    scans.unshift(({ from, to }, order, limit) =>
      Promise.resolve(someWithin(listed, { from, through: to }, { order, limit })),
    );
  return needsPlaceScan(narrow, scans.length) ? [...scans, scanOf(sources.map(placesOf))] : scans;
}

/**
 * Whether a scan of the narrow's places is needed: they may hold few messages where the other indexes hold many. A
 * narrow that only excludes texts always needs it, because the index of texts can only be asked about ids found
 * elsewhere.
 */
function needsPlaceScan({ sources, indexed: leads, texts }: CompiledNarrow, scans: number): boolean {
  if (scans === 0) return texts.unwanted.length > 0;
  if (texts.sought !== null) return true;
  return sources.some(({ channelIds, filter }) =>
    channelIds === null
      ? 'conversation' in filter || leads.some(({ isOwn }) => !isOwn)
      : Object.keys(placesOf({ filter }).filter).length > 0,
  );
}

/** The sources that an indexed condition is searched in: whole channels, or all direct messages. */
function sourcesOfCondition(
  sources: readonly Source[],
  { inChannels, inDirect }: IndexedCondition,
): readonly Source[] {
  const found = new Map<string, Source>();
  for (const source of sources) {
    const { $and } = source.filter;
    const filter =
      source.channelIds === null ? inDirect : { ...($and !== undefined && { $and }), ...inChannels };
    const whole = { ...source, filter, arrivals: null };
    found.set(JSON.stringify(whole), whole);
  }
  return [...found.values()];
}

/**
 * The source without its excluded topics: nearly all messages are usually in other topics, so the exclusion would not
 * make the scan shorter.
 */
function placesOf<S extends Pick<Source, 'filter'>>(source: S): S {
  const { topicKey, ...filter } = source.filter;
  const isLeftOut = typeof topicKey === 'object' && topicKey !== null && '$nin' in topicKey;
  return isLeftOut ? { ...source, filter } : source;
}
