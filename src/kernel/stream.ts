import type { Fold } from './decider.js';
import type { FoldedStream } from './decision.js';

/**
 * A stream that there is once, and what its events add up to.
 *
 * @param name the stream's name in the log, which never changes
 */
export function stream<State, Past>(name: string, fold: Fold<State, Past>): FoldedStream<State, Past> {
  return { stream: name, fold };
}

/** As {@link stream}, of an aggregate of which there are many: one stream for each id, in the same way folded. */
export function streamsOf<State, Past, Id = number>(
  nameOf: (id: Id) => string,
  fold: Fold<State, Past>,
): (id: Id) => FoldedStream<State, Past> {
  return (id) => ({ stream: nameOf(id), fold });
}
