import type { DirectoryFollower } from '../access/directory-follower.js';

/** Whether deleted messages are also erased (the organization's `message_erasure_policy`). */
export function erasesWhatIsDeleted(follower: DirectoryFollower): boolean {
  return follower.current().organization?.settings.message_erasure_policy === 'erase';
}
