import { setImmediate as nextTurn } from 'node:timers/promises';

/** So many milliseconds of work are done before anybody else has a turn. */
const TURN = 4;

/** Writes every one of many items, with turns for others in between. What the items are read from must not change meanwhile. */
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
