import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work before the event loop gets a turn. */
const TURN = 4;

/** Writes many items, and lets the event loop run in between. The source of the items must not change meanwhile. */
export async function writeInTurns<Item>(
  items: Iterable<Item>,
  write: (item: Item) => string,
): Promise<string[]> {
  const texts: string[] = [];
  let began = performance.now();
  for (const item of items) {
    texts.push(write(item));
    if (performance.now() - began < TURN) continue;
    await nextTurn();
    began = performance.now();
  }
  return texts;
}
