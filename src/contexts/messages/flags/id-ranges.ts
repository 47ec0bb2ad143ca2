/** A range of ids, both ends included. */
export type IdRange = {
  readonly from: number;
  readonly through: number;
};

/** A set of ids as rising ranges, none of which overlap or touch. */
export type IdRanges = readonly IdRange[];

/** The set of these ids, which may come in any order. */
export function rangesOf(ids: Iterable<number>): IdRanges {
  return joined([...ids].sort((a, b) => a - b).map((id) => ({ from: id, through: id })));
}

/** The ids in either set. */
export function union(ranges: IdRanges, others: IdRanges): IdRanges {
  return joined([...ranges, ...others].sort((a, b) => a.from - b.from));
}

/** The ids of the first set that are not in the second. */
export function difference(ranges: IdRanges, removed: IdRanges): IdRanges {
  const left: IdRange[] = [];
  let next = 0;
  for (const { from, through } of ranges) {
    let start = from;
    while (next < removed.length && removed[next]!.through < start) next += 1;
    for (let index = next; index < removed.length && removed[index]!.from <= through; index += 1) {
      const cut = removed[index]!;
      if (cut.from > start) left.push({ from: start, through: cut.from - 1 });
      start = cut.through + 1;
    }
    if (start <= through) left.push({ from: start, through });
  }
  return left;
}

/** The ids in both sets. */
export function intersection(ranges: IdRanges, others: IdRanges): IdRanges {
  return difference(ranges, difference(ranges, others));
}

/** Whether an id is in one of the ranges. */
export function hasId(ranges: IdRanges, id: number): boolean {
  const index = firstEndingAtOrAfter(ranges, id);
  return index < ranges.length && ranges[index]!.from <= id;
}

/** The largest id of the set below `id`; 0 when there is none. */
export function lastBelow(ranges: IdRanges, id: number): number {
  const index = firstEndingAtOrAfter(ranges, id);
  const around = ranges[index];
  if (around !== undefined && around.from < id) return id - 1;
  return ranges[index - 1]?.through ?? 0;
}

/** The smallest id of the set above `id`; null when there is none. */
export function firstAbove(ranges: IdRanges, id: number): number | null {
  const next = ranges[firstEndingAtOrAfter(ranges, id + 1)];
  return next === undefined ? null : Math.max(next.from, id + 1);
}

/** The number of ids in the set. */
export function countIn(ranges: IdRanges): number {
  return ranges.reduce((count, { from, through }) => count + through - from + 1, 0);
}

/** Each id of the set, in rising order. */
export function idsIn(ranges: IdRanges): number[] {
  return ranges.flatMap(({ from, through }) =>
    Array.from({ length: through - from + 1 }, (_, index) => from + index),
  );
}

/** The largest ids of the set, at most `limit`, in rising order. */
export function maxIdsIn(ranges: IdRanges, limit: number): number[] {
  const found: number[] = [];
  for (const { from, through } of ranges.toReversed()) {
    for (let id = through; id >= from && found.length < limit; id -= 1) found.push(id);
    if (found.length === limit) break;
  }
  return found.reverse();
}

/** The first `limit` ids of the set within a range, from one of its ends. */
export function someWithin(
  ranges: IdRanges,
  within: IdRange,
  end: { order: 1 | -1; limit: number },
): number[] {
  const { order, limit } = end;
  const found: number[] = [];
  const next = (id: number): number | null => {
    if (order === 1) return firstAbove(ranges, id);
    const below = lastBelow(ranges, id);
    return below === 0 ? null : below;
  };
  for (let id = next(order === 1 ? within.from - 1 : within.through + 1); id !== null; id = next(id)) {
    if (found.length === limit || id < within.from || id > within.through) break;
    found.push(id);
  }
  return found;
}

function firstEndingAtOrAfter(ranges: IdRanges, id: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle]!.through < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Joins ranges, sorted by their start, where they overlap or touch. */
function joined(sorted: IdRanges): IdRanges {
  const result: IdRange[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last === undefined || range.from > last.through + 1) result.push(range);
    else if (range.through > last.through)
      result[result.length - 1] = { from: last.from, through: range.through };
  }
  return result;
}
