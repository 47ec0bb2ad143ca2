import type { Anchor } from './anchor.js';
import type { CompiledNarrow } from './compiled-narrow.js';
import { MAX_MESSAGE_ID, type Window } from './sources.js';

/** An anchor with a definite place, unlike the first unread message. */
export type PlacedAnchor = Exclude<Anchor, { readonly type: 'first-unread' }>;

/** The requested page (`GET /messages`). */
export interface PageRequest {
  readonly anchor: PlacedAnchor;
  readonly includeAnchor: boolean;
  readonly before: number;
  readonly after: number;
}

/** A page that was found, in rising order of ids. */
export interface Page<Row> {
  /** The id at which the page was anchored. */
  readonly anchor: number;
  readonly foundAnchor: boolean;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
  readonly messages: readonly Row[];
}

/** A window of ids, the end to start from, and how many messages to find. */
export interface Range {
  readonly window: Window;
  readonly order: 1 | -1;
  readonly limit: number;
}

/** What a page is read from; its rows hold what the caller needs. */
export interface MessageSource<Row> {
  /** The first messages of a range that match a narrow. */
  find(narrow: CompiledNarrow, range: Range): Promise<readonly Row[]>;
  /** Id of the first message at or after a time, in seconds since the UNIX epoch; null when there is none. */
  firstIdAt(timestamp: number): Promise<number | null>;
}

/** For a narrow that nothing can match: the page claims to reach both ends, wherever it is anchored. */
const nothing: Page<never> = {
  anchor: MAX_MESSAGE_ID,
  foundAnchor: false,
  foundOldest: true,
  foundNewest: true,
  messages: [],
};

/** Reads the messages below, at and above an anchor. */
export async function readPage<Row extends { readonly _id: number }>(
  narrow: CompiledNarrow,
  request: PageRequest,
  source: MessageSource<Row>,
): Promise<Page<Row>> {
  if (narrow.sources.length === 0) {
    return request.anchor.type === 'id' ? { ...nothing, anchor: request.anchor.id } : nothing;
  }
  const anchor = await effectiveAnchor(narrow, request.anchor, source);
  if (anchor === null) {
    return { ...nothing, foundOldest: false, foundNewest: false };
  }
  const namesMessage = anchor > 0 && anchor < MAX_MESSAGE_ID;
  const [below, at, above] = await Promise.all([
    request.before === 0
      ? []
      : source.find(narrow, { window: { from: 1, to: anchor - 1 }, limit: request.before, order: -1 }),
    request.includeAnchor && namesMessage
      ? source.find(narrow, { window: { from: anchor, to: anchor }, limit: 1, order: 1 })
      : [],
    request.after === 0 || anchor >= MAX_MESSAGE_ID
      ? []
      : source.find(narrow, {
          window: { from: anchor + 1, to: MAX_MESSAGE_ID },
          limit: request.after,
          order: 1,
        }),
  ]);
  return {
    anchor,
    foundAnchor: at.length > 0,
    foundOldest: anchor === 0 || below.length < request.before,
    foundNewest: anchor === MAX_MESSAGE_ID || above.length < request.after,
    messages: [...below.toReversed(), ...at, ...above],
  };
}

/** Null: the anchor is a time, and no message matches. */
async function effectiveAnchor<Row extends { readonly _id: number }>(
  narrow: CompiledNarrow,
  anchor: PlacedAnchor,
  source: MessageSource<Row>,
): Promise<number | null> {
  if (anchor.type === 'id') return anchor.id;
  const from = await source.firstIdAt(anchor.timestamp);
  const window = { from: from ?? 0, to: MAX_MESSAGE_ID };
  const [first] = from === null ? [] : await source.find(narrow, { window, limit: 1, order: 1 });
  if (first !== undefined) return first._id;
  const [latest] = await source.find(narrow, { window: { ...window, from: 1 }, limit: 1, order: -1 });
  return latest?._id ?? null;
}
