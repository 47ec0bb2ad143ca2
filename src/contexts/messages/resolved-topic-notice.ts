import { visibilityPolicies, type VisibilityPolicy } from '../../events/attention.js';
import type { Directory } from '../../access/directory.js';
import type { ReadOnArrival } from '../../events/messages.js';
import type { MoveDocument } from './move-documents.js';

/**
 * Who has the notice about a resolved topic as read when it arrives: the person who resolved it, and people
 * by their setting `resolved_topic_notice_auto_read_policy`, which may depend on whether they follow the
 * topic.
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
