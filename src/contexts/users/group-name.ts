import { isLongerThan, isSingleLine } from '../../kernel/text.js';
import { failure } from '../../kernel/errors.js';
import { limits } from '../../events/values/organization-defaults.js';

/** What clients write before names to say what kind of thing they name. */
const reserved = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/**
 * A user group's name as it is kept: trimmed, 1 to 100 code points, on one line, not to be taken for a role, a person or a channel.
 *
 * @throws ApplicationError `userGroupNameEmpty`, `userGroupNameTooLong`, `userGroupNameInvalid`
 */
export function groupNameOf(sent: string): string {
  const name = sent.trim();
  if (name === '') throw failure('userGroupNameEmpty');
  if (isLongerThan(name, limits.groupName)) throw failure('userGroupNameTooLong');
  if (!isSingleLine(name) || reserved.some((prefix) => name.startsWith(prefix)))
    throw failure('userGroupNameInvalid');
  return name;
}

/**
 * A user group's description as it is kept: trimmed, at most 1024 code points, as those of channels. Every client is told all of them.
 *
 * @throws ApplicationError `channelDescriptionTooLong`
 */
export function groupDescriptionOf(sent: string): string {
  const description = sent.trim();
  if (isLongerThan(description, limits.channelDescription)) throw failure('channelDescriptionTooLong');
  return description;
}
