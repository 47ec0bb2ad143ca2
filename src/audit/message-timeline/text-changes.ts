import { diffWordsWithSpace } from 'diff';
import { budgets } from '../../kernel/budgets.js';

/** A part of a text that stayed, came or went. */
export interface TextChange {
  readonly kind: 'kept' | 'added' | 'removed';
  readonly text: string;
}

/**
 * Compares two texts word by word. When they differ in more words than the budget allows, everything between their
 * common beginning and end is shown as replaced.
 */
export function textChanges(before: string, after: string): readonly TextChange[] {
  const compared = diffWordsWithSpace(before, after, { maxEditLength: budgets.comparedWords.max });
  if (compared === undefined) return replaced(before, after);
  return compared.map(({ value: text, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'kept',
    text,
  }));
}

function replaced(before: string, after: string): readonly TextChange[] {
  const max = Math.min(before.length, after.length);
  let head = 0;
  while (head < max && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < max - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const parts: readonly TextChange[] = [
    { kind: 'kept', text: before.slice(0, head) },
    { kind: 'removed', text: before.slice(head, before.length - tail) },
    { kind: 'added', text: after.slice(head, after.length - tail) },
    { kind: 'kept', text: before.slice(before.length - tail) },
  ];
  return parts.filter(({ text }) => text !== '');
}
