import { visibilityPolicies, type VisibilityPolicy } from '../attention/events.js';
import type { Directory } from '../directory/directory.js';
import type { ReadOnArrival } from './events.js';
import type { MoveDocument } from './move-documents.js';

/**
 * Who has the notice of a topic's mark read when it arrives: everyone but those who follow the topic, which is what the
 * setting `resolved_topic_notice_auto_read_policy` is for everyone; and whoever did it (facts, section 2, "Notices").
 */
export function markReadOnArrival(
  { newChannelId, userId }: Pick<MoveDocument, 'newChannelId' | 'userId'>,
  directory: Directory,
  wishes: ReadonlyMap<number, VisibilityPolicy>,
): ReadOnArrival {
  const except = directory
    .subscriberIds(newChannelId)
    .filter((id) => id !== userId && wishes.get(id) === visibilityPolicies.followed);
  return { everyone: true, except };
}
