import { LRUCache } from 'lru-cache';
import type { Linkifiers } from '../../../access/records/linkifiers.js';
import { findTopicLinks } from '../../../markdown/linkify.js';

/**
 * Links by topic, for each state of the linkifiers: that object is replaced when anything about them changes.
 */
const known = new WeakMap<Linkifiers, LRUCache<string, string>>();

/** The links of a topic as JSON text, by the present linkifiers. */
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
