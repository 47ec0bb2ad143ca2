import { failure } from '../kernel/errors.js';
import { limits } from '../organization/defaults.js';

/** What clients write before names to say what kind of thing they name. */
const reserved = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/**
 * A user group's name as it is kept: trimmed, 1 to 100 code points, not to be taken for a role, a person or a channel.
 *
 * @throws ApplicationError `userGroupNameEmpty`, `userGroupNameTooLong`, `userGroupNameInvalid`
 */
export function groupNameOf(sent: string): string {
  const name = sent.trim();
  if (name === '') throw failure('userGroupNameEmpty');
  if ([...name].length > limits.groupName) throw failure('userGroupNameTooLong');
  if (reserved.some((prefix) => name.startsWith(prefix))) throw failure('userGroupNameInvalid');
  return name;
}
