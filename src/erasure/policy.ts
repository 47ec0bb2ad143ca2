import type { DirectoryFollower } from '../access/directory-follower.js';

/** Whether the organization wants erased what people delete (its `message_erasure_policy`). */
export function erasesWhatIsDeleted(follower: DirectoryFollower): boolean {
  return follower.current().organization?.settings.message_erasure_policy === 'erase';
}
