import { PersistentMap } from '../../src/kernel/persistent-map.js';

/** A state for comparisons: entries of persistent maps have no particular order, so they are sorted. */
export function plainState(state: unknown): unknown {
  if (state instanceof PersistentMap) {
    const entries = [...(state as PersistentMap<number | string, unknown>).entries()];
    return {
      size: state.size,
      entries: entries
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, value]) => [key, plainState(value)]),
    };
  }
  if (Array.isArray(state)) return state.map(plainState);
  if (typeof state !== 'object' || state === null) return state;
  const fields = Object.entries(state).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields.map(([name, value]) => [name, plainState(value)]));
}
