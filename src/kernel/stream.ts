import type { Fold } from './decider.js';
import type { FoldedStream } from './decision.js';

/**
 * Declares a stream of which there is exactly one, with its fold.
 *
 * @param name of the stream in the log; it never changes
 */
export function stream<State, Past>(name: string, fold: Fold<State, Past>): FoldedStream<State, Past> {
  return { stream: name, fold };
}

/** Declares the streams of an aggregate with many instances: one stream for each id, all with the same fold. */
export function streamsOf<State, Past, Id = number>(
  nameOf: (id: Id) => string,
  fold: Fold<State, Past>,
): (id: Id) => FoldedStream<State, Past> {
  return (id) => ({ stream: nameOf(id), fold });
}
