/**
 * Pairs brackets in one pass, so that a text full of brackets costs no more than any other.
 *
 * @returns the position of the closing bracket by that of the opening one, in the order of the text
 */
export function matchBrackets(text: string, opening: string, closing: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === opening) {
      open.push(index);
    } else if (character === closing) {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, index);
    }
  }
  return new Map([...pairs].sort(([one], [other]) => one - other));
}
