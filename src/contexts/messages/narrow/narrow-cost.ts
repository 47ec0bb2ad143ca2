import type { Term } from './terms.js';

/** Narrows with only these operators are read directly from an index. */
const quickOperators: ReadonlySet<string> = new Set([
  'channel',
  'topic',
  'dm',
  'sender',
  'id',
  'near',
  'with',
]);

/** Whether reading a page of a narrow may take long. */
export function mayBeLong(narrow: readonly Term[]): boolean {
  return narrow.some(({ operator, negated }) => negated || !quickOperators.has(operator));
}

/** The operators of a narrow, without their operands. */
export function shapeOf(narrow: readonly Term[]): string {
  return `[${narrow.map(({ operator, negated }) => `${negated ? '-' : ''}${operator}`).join(' ')}]`;
}
