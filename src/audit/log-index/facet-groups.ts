import { actorFacet, facetsAbout, roleFacet, topicFacet } from '../../contexts/audit-index/facets.js';
import type { LogSelection } from '../log/log-selection.js';
import type { EntryTerm } from './common-entries.js';

/** A group finds the events that have one of its facets. */
export type FacetGroup = readonly string[];

/** The groups of a selection that the index can look up: an event must be found by every group. */
export function groupsOf(selection: LogSelection): readonly FacetGroup[] {
  const { types, actorIds, messageId, channelId, topic, aboutId, roles, content } = selection;
  const groups: (FacetGroup | undefined)[] = [
    messageId === undefined ? undefined : facetsAbout('message', messageId),
    aboutId === undefined ? undefined : [actorFacet(aboutId), ...facetsAbout('person', aboutId)],
    topic && [topicFacet(topic)],
    topic !== undefined || channelId === undefined ? undefined : facetsAbout('channel', channelId),
    actorIds && [...actorIds].map(actorFacet),
    types,
    roles?.map(roleFacet),
    content && [content],
  ];
  return groups.filter((group) => group !== undefined);
}

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
