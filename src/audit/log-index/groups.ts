import { actorFacet, facetsAbout, roleFacet, topicFacet } from '../../contexts/audit-index/facets.js';
import type { LogSelection } from '../log-selection.js';

/** An event is found by a group if it has one of its facets. */
export type FacetGroup = readonly string[];

/** What a selection asks for that the index can find: an event must be found by every group. */
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
