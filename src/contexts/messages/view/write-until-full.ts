import { budgets } from '../../../kernel/budgets.js';

/** The messages that fit into one reply. */
export interface BoundedReply<Row> {
  /** JSON of messages by their ids; messages that are gone meanwhile are left out. */
  readonly texts: ReadonlyMap<number, string>;
  /** The rows that did not fit. */
  readonly left: readonly Row[];
}

/**
 * How many messages are read in the first batch, and at most in any batch: serializing takes several times
 * the memory of their texts.
 */
const atOnce = { first: 30, max: 200 } as const;
/** Target size of a batch in bytes of JSON, estimated from the messages before it. */
const BYTES_AT_ONCE = 4 * 1_048_576;

/**
 * Serializes messages one after the other until the reply is full. The first message is always included.
 *
 * @param write serializes some of them
 */
export async function writeUntilFull<Row extends { readonly _id: number }>(
  rows: readonly Row[],
  write: (rows: readonly Row[]) => Promise<ReadonlyMap<number, string>>,
): Promise<BoundedReply<Row>> {
  const texts = new Map<number, string>();
  let bytes = 0;
  let some = rows.slice(0, atOnce.first);
  for (let from = 0; some.length > 0;) {
    const written = await write(some);
    for (const [index, { _id }] of some.entries()) {
      const text = written.get(_id);
      if (text === undefined) continue;
      // Counts the comma before the next message.
      bytes += Buffer.byteLength(text) + 1;
      if (bytes > budgets.pageBytes.max && texts.size > 0) return { texts, left: rows.slice(from + index) };
      texts.set(_id, text);
    }
    from += some.length;
    const next = Math.floor((BYTES_AT_ONCE * from) / Math.max(bytes, 1));
    some = rows.slice(from, from + Math.min(Math.max(next, 1), atOnce.max));
  }
  return { texts, left: [] };
}
