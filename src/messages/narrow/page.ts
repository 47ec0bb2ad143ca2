import type { Filter, Sort } from '../../read-store/port.js';
import type { CachedMessage } from '../view/cached-message.js';
import type { Anchor } from './anchor.js';
import type { CompiledNarrow } from './compiled-narrow.js';
import { search, type FindTexts } from './search.js';
import { largestMessageId, type Window } from './sources.js';

/** An anchor that is not the reader's own. */
export type PlacedAnchor = Exclude<Anchor, { readonly type: 'first-unread' }>;

/** What a page is asked for with (specification, GET /messages). */
export interface PageRequest {
  readonly anchor: PlacedAnchor;
  readonly includeAnchor: boolean;
  readonly before: number;
  readonly after: number;
}

/** A page as it was found, rising by id. */
export interface Page {
  /** The effective anchor. */
  readonly anchor: number;
  readonly foundAnchor: boolean;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
  readonly messages: readonly CachedMessage[];
}

/** Looks into the model of messages. */
export interface MessageSource {
  find(filter: Filter, sort: Sort, limit: number): Promise<readonly CachedMessage[]>;
  /** Looks into the index of words for what a narrow searches for. */
  findTexts(narrow: CompiledNarrow): FindTexts;
  /** Id of the first message of the log at or after a time, in seconds; null when there is none. */
  firstIdAt(timestamp: number): Promise<number | null>;
}

/** A narrow that nothing can match looks as if all of it had been read. */
const nothing: Page = {
  anchor: largestMessageId,
  foundAnchor: false,
  foundOldest: true,
  foundNewest: true,
  messages: [],
};

/** Reads the messages below, at and above an anchor. */
export async function readPage(
  narrow: CompiledNarrow,
  request: PageRequest,
  source: MessageSource,
): Promise<Page> {
  if (narrow.sources.length === 0) return nothing;
  const anchor = await effectiveAnchor(narrow, request.anchor, source);
  if (anchor === null) {
    return { ...nothing, foundOldest: false, foundNewest: false };
  }
  const namesMessage = anchor > 0 && anchor < largestMessageId;
  const [below, at, above] = await Promise.all([
    request.before === 0
      ? []
      : find(narrow, { from: 1, to: anchor - 1 }, { source, limit: request.before, order: -1 }),
    request.includeAnchor && namesMessage
      ? find(narrow, { from: anchor, to: anchor }, { source, limit: 1, order: 1 })
      : [],
    request.after === 0
      ? []
      : find(narrow, { from: anchor + 1, to: largestMessageId }, { source, limit: request.after, order: 1 }),
  ]);
  return {
    anchor,
    foundAnchor: at.length > 0,
    foundOldest: anchor === 0 || below.length < request.before,
    foundNewest: anchor === largestMessageId || above.length < request.after,
    messages: [...below.toReversed(), ...at, ...above],
  };
}

/** Null: the anchor is a time, and no message matches at all. */
async function effectiveAnchor(
  narrow: CompiledNarrow,
  anchor: PlacedAnchor,
  source: MessageSource,
): Promise<number | null> {
  if (anchor.type === 'id') return anchor.id;
  const from = await source.firstIdAt(anchor.timestamp);
  const [first] =
    from === null ? [] : await find(narrow, { from, to: largestMessageId }, { source, limit: 1, order: 1 });
  if (first !== undefined) return first.document._id;
  const [latest] = await find(narrow, { from: 1, to: largestMessageId }, { source, limit: 1, order: -1 });
  return latest?.document._id ?? null;
}

interface Finding {
  readonly source: MessageSource;
  readonly limit: number;
  readonly order: 1 | -1;
}

async function find(
  narrow: CompiledNarrow,
  window: Window,
  { source, limit, order }: Finding,
): Promise<readonly CachedMessage[]> {
  const find = source.find.bind(source);
  return search(narrow, { window, order, limit, find, findTexts: source.findTexts(narrow) });
}
