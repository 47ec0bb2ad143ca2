import { diffWordsWithSpace } from 'diff';
import { budgets } from '../../kernel/budgets.js';
import { escapeLiteral } from '../../markdown/html.js';

/**
 * Both texts in one, as HTML, with removed and inserted parts marked. The comparison takes quadratic time, so
 * texts that differ in more than the budget are shown as wholly replaced.
 */
export function markDifferences(before: string, after: string): string {
  const parts = diffWordsWithSpace(before, after, { maxEditLength: budgets.comparedWords.max }) ?? [
    { value: after, added: true, removed: false },
    { value: before, added: false, removed: true },
  ];
  const marked = parts.map(({ value, added, removed }) => {
    const text = escapeLiteral(value);
    if (added) return `<span class="highlight_text_inserted">${text}</span>`;
    return removed ? `<span class="highlight_text_deleted">${text}</span>` : text;
  });
  return `<div><p>${marked.join('').replaceAll('\n', '<br>')}</p></div>`;
}
