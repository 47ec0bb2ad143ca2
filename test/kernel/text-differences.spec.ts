import { describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { markDifferences } from '../../projections/messages.projection.js';

const deleted = (text: string): string => `<span class="highlight_text_deleted">${text}</span>`;
const inserted = (text: string): string => `<span class="highlight_text_inserted">${text}</span>`;

describe('the differences of two texts', () => {
  it('are marked word by word', () => {
    expect(markDifferences('a <b>\nc', 'a <i>\nc d')).toBe(
      `<div><p>a &lt;${deleted('b')}${inserted('i')}&gt;<br>c${inserted(' d')}</p></div>`,
    );
  });

  it('are not looked for in texts that have little in common', () => {
    const words = (count: number, word: string): string => Array<string>(count).fill(word).join(' ');
    // A replaced word counts twice: once as removed, once as added.
    const max = budgets.comparedWords.max / 2;
    const marks = (count: number): number =>
      markDifferences(words(count, 'a'), words(count, 'b')).split('highlight_text_deleted').length - 1;
    expect(marks(max)).toBe(max);
    expect(marks(max + 1)).toBe(1);
  });
});
