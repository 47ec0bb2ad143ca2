import { budgets } from '../../../kernel/budgets.js';

/** What of some messages fits into one reply. */
export interface BoundedReply<Row> {
  /** JSON of messages by their ids; those that are gone meanwhile are left out. */
  readonly texts: ReadonlyMap<number, string>;
  /** What did not fit. */
  readonly left: readonly Row[];
}

/** How many messages are read first, and at most, at once: what they say takes several times its length while it is serialized. */
const atOnce = { first: 30, most: 200 } as const;
/** Bytes of JSON that those read at once come to, as far as those before them tell. */
const bytesAtOnce = 4 * 1_048_576;

/**
 * Puts messages into words one after the other until the reply is full. The first is never left out.
 *
 * @param write makes the JSON of some of them
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
      // With the comma in front of the next.
      bytes += Buffer.byteLength(text) + 1;
      if (bytes > budgets.pageBytes.max && texts.size > 0) return { texts, left: rows.slice(from + index) };
      texts.set(_id, text);
    }
    from += some.length;
    const next = Math.floor((bytesAtOnce * from) / Math.max(bytes, 1));
    some = rows.slice(from, from + Math.min(Math.max(next, 1), atOnce.most));
  }
  return { texts, left: [] };
}
