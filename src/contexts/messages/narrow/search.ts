import type { Filter, Sort } from '../../../stores/read-store/port.js';
import { hasId, type IdRanges } from '../flags/id-ranges.js';
import type { SearchedTexts } from '../text-search/searched-texts.js';
import { looksIntoTexts, type CompiledNarrow, type FoundMessage } from './compiled-narrow.js';
import { indexScansOf, type FindIds } from './index-scans.js';
import { filterAmong, filterWithin, type IndexScan, type Window } from './sources.js';

/** Finds documents in the model of messages. */
export type FindMessages<Row> = (filter: Filter, sort: Sort, limit: number) => Promise<readonly Row[]>;

/** The window to search, from which end, for how many messages, and how. */
export interface Search<Row> {
  readonly window: Window;
  readonly order: 1 | -1;
  readonly limit: number;
  readonly find: FindMessages<Row>;
  readonly findIds: FindIds;
  /** The narrow's conditions on texts. */
  readonly texts: Pick<SearchedTexts, 'scans' | 'possible' | 'passing'>;
}

/** A row; it contains the fields that are checked if the narrow {@link checksEach}. */
export interface SearchedRow {
  readonly document: Pick<FoundMessage, '_id'> & Partial<FoundMessage>;
}

/** Whether each message must be checked after it was found, because no index serves all conditions. */
export function checksEach(narrow: CompiledNarrow): boolean {
  return narrow.tests.length > 0 || looksIntoTexts(narrow);
}

/** Ranges with fewer ids than this between them are searched as one. */
const WORTH_SKIPPING = 100;

/** Minimum number of messages read in one batch, where some of them may not match. */
const LEAST_BATCH = 50;

/** Maximum number of messages read in one batch; batches grow up to it while few messages match. */
const MAX_BATCH = 2_000;

/** The first messages of a window, from one of its ends, that match a narrow. */
export async function search<Row extends SearchedRow>(
  narrow: CompiledNarrow,
  search: Search<Row>,
): Promise<readonly Row[]> {
  const scans = await indexScansOf(narrow, search);
  const found: Row[] = [];
  for (const window of windowsOf(narrow.within, search)) {
    const limit = search.limit - found.length;
    for (const row of await searchWindow(narrow, scans, { ...search, window, limit })) found.push(row);
    if (found.length >= search.limit) break;
  }
  return found;
}

async function searchWindow<Row extends SearchedRow>(
  narrow: CompiledNarrow,
  scans: readonly IndexScan[],
  search: Search<Row>,
): Promise<readonly Row[]> {
  const { window, order, limit } = search;
  const isChecked = checksEach(narrow);
  const isByCandidates = usesCandidates(narrow, scans);
  const found: Row[] = [];
  let left = window;
  let batch = isChecked || isByCandidates ? Math.max(limit, LEAST_BATCH) : limit;
  // The first batch comes from the first scan alone: it usually finds enough messages, or has no more candidates.
  let tried: readonly IndexScan[] = scans.slice(0, 1);
  for (;;) {
    const rest = { ...search, window: left };
    const { rows, last } = await (isByCandidates
      ? readCandidates(narrow, await nextCandidates(tried, rest, batch), rest)
      : readBatch(narrow, rest, batch));
    const passing = isChecked ? await passingRows(narrow, rows, search.texts) : rows;
    for (const row of passing.slice(0, limit - found.length)) found.push(row);
    if (last === null || found.length >= limit) return found;
    left = order === 1 ? { ...left, from: last + 1 } : { ...left, to: last - 1 };
    if (tried.length === scans.length) batch = Math.max(batch, Math.min(batch * 2, MAX_BATCH));
    tried = scans;
  }
}

/**
 * Whether candidates come from index scans by id. With a single scan and no texts the store follows the index
 * by itself.
 */
function usesCandidates({ texts, listed }: CompiledNarrow, scans: readonly IndexScan[]): boolean {
  return scans.length > 1 || texts.sought !== null || texts.unwanted.length > 0 || listed !== null;
}

interface Batch<Row> {
  readonly rows: readonly Row[];
  /** The id up to which the window was searched; null: to its end. */
  readonly last: number | null;
}

async function readBatch<Row extends SearchedRow>(
  narrow: CompiledNarrow,
  { window, order, find }: Search<Row>,
  batch: number,
): Promise<Batch<Row>> {
  const filter = filterWithin(narrow, window);
  const rows = filter === null ? [] : await find(filter, { _id: order }, batch);
  return { rows, last: rows.length < batch ? null : (rows.at(-1)?.document._id ?? null) };
}

/** Candidates that an index scan returned. */
interface Candidates {
  readonly ids: readonly number[];
  /** The last id; null: there are no more in the window. */
  readonly last: number | null;
}

/**
 * Reads a batch from each scan and returns the one that reaches farthest through the window: it skips the most
 * messages. If a scan has no more candidates, its batch is returned at once, because nothing beyond it can match.
 */
async function nextCandidates(
  scans: readonly IndexScan[],
  { window, order }: Pick<Search<unknown>, 'window' | 'order'>,
  batch: number,
): Promise<Candidates> {
  let best: Candidates | null = null;
  for (const scan of scans) {
    const ids = await scan(window, order, batch);
    const last = ids.length < batch ? null : (ids.at(-1) ?? null);
    if (last === null) return { ids, last };
    if (best?.last == null || (last - best.last) * order > 0) best = { ids, last };
  }
  return best ?? { ids: [], last: null };
}

/** Those of the candidates that match a narrow, as far as that can be told without texts. */
async function readCandidates<Row extends SearchedRow>(
  narrow: CompiledNarrow,
  { ids: led, last }: Candidates,
  { order, find, texts }: Search<Row>,
): Promise<Batch<Row>> {
  const { listed } = narrow;
  const ids = await texts.possible(listed === null ? led : led.filter((id) => hasId(listed, id)));
  const [first, end] = [ids[0], ids.at(-1)];
  if (first === undefined || end === undefined) return { rows: [], last };
  const filter = filterAmong(narrow, order === 1 ? { from: first, to: end } : { from: end, to: first });
  if (filter === null) return { rows: [], last };
  return {
    rows: await find({ $and: [{ _id: { $in: [...ids] } }, filter] }, { _id: order }, ids.length),
    last,
  };
}

/** Those of the rows that match a narrow, in their order. */
export async function passingRows<Row extends SearchedRow>(
  narrow: CompiledNarrow,
  rows: readonly Row[],
  texts: Pick<SearchedTexts, 'passing'>,
): Promise<readonly Row[]> {
  const tested = rows.filter(({ document }) => narrow.tests.every((test) => test(document as FoundMessage)));
  if (!looksIntoTexts(narrow)) return tested;
  const passing = new Set(await texts.passing(tested.map(({ document }) => document as FoundMessage)));
  return tested.filter(({ document }) => passing.has(document as FoundMessage));
}

/** The parts of a window that are worth searching, in the order of the search. */
function windowsOf(
  within: IdRanges | null,
  { window, order }: Pick<Search<unknown>, 'window' | 'order'>,
): readonly Window[] {
  if (within === null) return [window];
  const windows: { from: number; to: number }[] = [];
  for (const range of within) {
    const from = Math.max(range.from, window.from);
    const to = Math.min(range.through, window.to);
    if (from > to) continue;
    const last = windows.at(-1);
    if (last !== undefined && from - last.to < WORTH_SKIPPING) last.to = to;
    else windows.push({ from, to });
  }
  return order === 1 ? windows : windows.reverse();
}
