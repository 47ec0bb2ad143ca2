import type { LogSelection } from '../log-selection.js';
import type { EntryTerm } from './common-entries.js';
import { groupsOf } from './groups.js';

/** The conditions of a selection that the index can check: an entry must meet all of them. */
export function termsOf(selection: LogSelection): readonly EntryTerm[] {
  const terms = groupsOf(selection).map((group): EntryTerm => {
    const wanted = new Set(group);
    return {
      filter: { facets: group.length === 1 ? group[0] : { $in: group } },
      matches: ({ facets }) => facets.some((facet) => wanted.has(facet)),
    };
  });
  const exact = new Set(selection.streams?.filter((stream) => !stream.endsWith('*')));
  if (exact.size > 0 && exact.size === new Set(selection.streams).size)
    terms.push({ filter: { stream: { $in: [...exact] } }, matches: ({ stream }) => exact.has(stream) });
  return terms.length === 0 ? [{ filter: {}, matches: () => true }] : terms;
}
