import type { Fold } from '../../src/kernel/fold.js';

/** Folds events over a state, in order. */
export function foldEvents<State, Event>(
  fold: Fold<State, Event>,
  events: Iterable<Event>,
  from = fold.initial,
): State {
  let state = from;
  for (const event of events) state = fold.evolve(state, event);
  return state;
}
