import { isLongerThan, isSingleLine } from '../../kernel/text.js';
import { failure } from '../../kernel/errors.js';
import { limits } from '../../events/values/organization-defaults.js';

/** Prefixes by which clients mark what kind of thing a name belongs to. */
const reserved = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/**
 * The stored form of a user group's name: trimmed, 1 to 100 code points, on one line, without the prefix of a
 * role, a person or a channel.
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
 * The stored form of a user group's description: trimmed, at most 1024 code points, the limit of channels.
 * Every client gets all descriptions.
 *
 * @throws ApplicationError `channelDescriptionTooLong`
 */
export function groupDescriptionOf(sent: string): string {
  const description = sent.trim();
  if (isLongerThan(description, limits.channelDescription)) throw failure('channelDescriptionTooLong');
  return description;
}
