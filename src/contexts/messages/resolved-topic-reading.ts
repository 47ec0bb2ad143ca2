import { visibilityPolicies, type VisibilityPolicy } from '../../events/attention.js';
import type { Directory } from '../../access/directory.js';
import type { ReadOnArrival } from '../../events/messages.js';
import type { MoveDocument } from './move-documents.js';

/**
 * Who has the notice of a topic's mark read when it arrives: as people's setting `resolved_topic_notice_auto_read_policy` has it
 * for topics that they follow or not; and whoever put the mark (facts, section 2, "Notices").
 */
export function markReadOnArrival(
  { newChannelId, userId }: Pick<MoveDocument, 'newChannelId' | 'userId'>,
  directory: Directory,
  policies: ReadonlyMap<number, VisibilityPolicy>,
): ReadOnArrival {
  const except = directory
    .subscriberIds(newChannelId)
    .filter((id) => id !== userId && wantsToReadIt(id, directory, policies));
  return { everyone: true, except };
}

function wantsToReadIt(
  userId: number,
  { settings }: Directory,
  policies: ReadonlyMap<number, VisibilityPolicy>,
): boolean {
  switch (settings.value(userId, 'resolved_topic_notice_auto_read_policy')) {
    case 'always':
      return false;
    case 'never':
      return true;
    case 'except_followed':
      return policies.get(userId) === visibilityPolicies.followed;
  }
}
