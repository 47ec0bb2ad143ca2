import { LRUCache } from 'lru-cache';
import type { Linkifiers } from '../../../access/records/linkifiers.js';
import { findTopicLinks } from '../../../markdown/linkify.js';

/** What was found by each state of the linkifiers, which are replaced whenever anything about them changes. */
const known = new WeakMap<Linkifiers, LRUCache<string, string>>();

/** The links of a topic as JSON text, by the linkifiers of now: a topic is a name, and names are those of now. */
export function topicLinks(topic: string | null, linkifiers: Linkifiers): string {
  if (topic === null || topic === '') return '[]';
  let found = known.get(linkifiers);
  if (found === undefined) known.set(linkifiers, (found = new LRUCache({ max: 5_000 })));
  let links = found.get(topic);
  if (links === undefined) {
    links = JSON.stringify(findTopicLinks(topic, linkifiers.linkifiers));
    found.set(topic, links);
  }
  return links;
}
