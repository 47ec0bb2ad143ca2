import { describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { parseNarrow } from '../../src/contexts/messages/narrow/terms.js';
import { refusal } from '../support/given.js';

function refusalOf(...narrow: readonly object[]): string | null {
  return refusal(() => parseNarrow(narrow));
}

function search(operand: string): object {
  return { operator: 'search', operand };
}

/** The errors for narrows at `max` and at one more. */
function aroundLimit(
  max: number,
  narrowOf: (count: number) => readonly object[],
): readonly (string | null)[] {
  return [max, max + 1].map((count) => refusalOf(...narrowOf(count)));
}

const words = (count: number): string => Array<string>(count).fill('a').join(' ');

describe('a narrow is refused', () => {
  it('when it has more than the maximum number of terms', () => {
    const terms = (count: number): object[] => Array<object>(count).fill({ operator: 'is', operand: 'dm' });
    expect(aroundLimit(budgets.narrowTerms.max, terms)).toEqual([null, 'narrowTooLong']);
  });

  it('when an operand is too long', () => {
    const topic = (length: number): object[] => [{ operator: 'topic', operand: 'x'.repeat(length) }];
    expect(aroundLimit(budgets.narrowOperand.max, topic)).toEqual([null, 'badNarrow']);
  });

  it('when it names too many people, by their ids and addresses together', () => {
    const people = (count: number): object[] => [
      { operator: 'dm-including', operand: Array.from({ length: count - 2 }, (_, id) => id) },
      { operator: 'dm', operand: 'a@example.com,b@example.com' },
    ];
    expect(aroundLimit(budgets.narrowPeople.max, people)).toEqual([null, 'badNarrow']);
  });

  it('when its searches are too long together', () => {
    const searches = (length: number): object[] => [
      { ...search('x'.repeat(length - 10)), negated: true },
      search('x'.repeat(10)),
    ];
    expect(aroundLimit(budgets.searchCharacters.max, searches)).toEqual([null, 'badNarrow']);
  });

  it('when its searches have too many words together, stop words and those within phrases included', () => {
    const searches = (count: number): object[] => [search(words(count - 5)), search('"the a of b" c')];
    expect(aroundLimit(budgets.searchWords.max, searches)).toEqual([null, 'badNarrow']);
    const characters = (count: number): object[] => [search('字'.repeat(count))];
    expect(aroundLimit(budgets.searchWords.max, characters)).toEqual([null, 'badNarrow']);
  });

  it('before a long search is looked at word by word', () => {
    expect(refusalOf(search(words(100_000)))).toBe('badNarrow');
  });
});
