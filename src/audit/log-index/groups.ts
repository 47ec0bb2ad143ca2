import { actorFacet, facetsAbout, roleFacet, topicFacet } from '../../contexts/audit-index/facets.js';
import type { LogSelection } from '../log-selection.js';

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
