import { PersistentMap } from '../../../kernel/persistent-map.js';

/** Map entries per line: few enough that writing or reading a line takes no noticeable time. */
const ENTRIES_IN_LINE = 200;

/** Replaces a map in a state; the number says which one. */
const REFERENCE = '$persistentMap';

type Entry = readonly [number | string, unknown];
type AnyMap = PersistentMap<number | string, unknown>;
type MapLine = readonly [number, readonly Entry[]];

/**
 * A folded state as lines of JSON: the state with references in place of its persistent maps, then the entries of the maps. It is written
 * in small steps while others use the same immutable state.
 */
export function* stateLines(state: unknown): Generator<string> {
  const maps: AnyMap[] = [];
  yield JSON.stringify(state, (_field, value: unknown) =>
    value instanceof PersistentMap ? { [REFERENCE]: maps.push(value as AnyMap) - 1 } : value,
  );
  for (const [number, map] of maps.entries()) {
    let entries: Entry[] = [];
    for (const entry of map.entries()) {
      entries.push(entry);
      if (entries.length === ENTRIES_IN_LINE) {
        yield JSON.stringify([number, entries] satisfies MapLine);
        entries = [];
      }
    }
    yield JSON.stringify([number, entries] satisfies MapLine);
  }
}

/** The inverse of {@link stateLines}. */
export async function stateIn(lines: AsyncIterable<string>): Promise<unknown> {
  let skeleton: unknown;
  const maps: Entry[][] = [];
  for await (const line of lines) {
    if (skeleton === undefined) {
      skeleton = JSON.parse(line);
      continue;
    }
    const [number, entries] = JSON.parse(line) as MapLine;
    const map = (maps[number] ??= []);
    for (const entry of entries) map.push(entry);
  }
  if (skeleton === undefined) throw new SyntaxError('There is no state');
  return withMaps(skeleton, maps);
}

function withMaps(value: unknown, maps: readonly (readonly Entry[])[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => withMaps(element, maps));
  const fields = value as Readonly<Record<string, unknown>>;
  const number = fields[REFERENCE];
  if (typeof number === 'number') return PersistentMap.from(maps[number] ?? []);
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, withMaps(field, maps)]));
}
