import type { Filter, Sort } from '../../read-store/port.js';
import type { IdRanges } from '../flags/id-ranges.js';
import type { CompiledNarrow, FoundMessage } from './compiled-narrow.js';
import { filterWithin, type Window } from './sources.js';

/** Looks into the model of messages. */
export type FindMessages<Row> = (filter: Filter, sort: Sort, limit: number) => Promise<readonly Row[]>;

/** How many messages are looked for in a window, from which end, and how. */
export interface Search<Row> {
  readonly window: Window;
  readonly order: 1 | -1;
  readonly limit: number;
  readonly find: FindMessages<Row>;
}

/** Stretches with fewer ids than this between them are looked through as one. */
const worthSkipping = 100;

/** Fewer messages than this are not looked at at once, where some of them may not do. */
const leastBatch = 50;

/** The first messages of a window, from one of its ends, that a narrow lets through. */
export async function search<Row extends { readonly document: FoundMessage }>(
  narrow: CompiledNarrow,
  search: Search<Row>,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (const window of windowsOf(narrow.within, search)) {
    found.push(...(await searchWindow(narrow, { ...search, window, limit: search.limit - found.length })));
    if (found.length >= search.limit) break;
  }
  return found;
}

async function searchWindow<Row extends { readonly document: FoundMessage }>(
  narrow: CompiledNarrow,
  { window, order, limit, find }: Search<Row>,
): Promise<readonly Row[]> {
  const { tests } = narrow;
  const batch = tests.length === 0 ? limit : Math.max(limit, leastBatch);
  const found: Row[] = [];
  let left = window;
  for (;;) {
    const filter = filterWithin(narrow, left);
    if (filter === null) return found;
    const rows = await find(filter, { _id: order }, batch);
    const passing = rows.filter(({ document }) => tests.every((test) => test(document)));
    found.push(...passing.slice(0, limit - found.length));
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch || found.length >= limit) return found;
    const id = last.document._id;
    left = order === 1 ? { ...left, from: id + 1 } : { ...left, to: id - 1 };
  }
}

/** The parts of a window that are worth looking through, in the order of the search. */
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
    if (last !== undefined && from - last.to < worthSkipping) last.to = to;
    else windows.push({ from, to });
  }
  return order === 1 ? windows : windows.reverse();
}
