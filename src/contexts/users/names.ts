import type { Snapshot } from '../../access/snapshot.js';
import { limits } from '../../events/values/organization-defaults.js';
import { failure } from '../../kernel/errors.js';
import { isLongerThan, isPrintable, isSingleLine, nameKey } from '../../kernel/text.js';
import type { UserDirectory } from './users.state.js';

/** Characters that break mentions, quotes or code. */
const forbidden = /[*`\\>"@]/;

/** The form `name|id`, by which mentions distinguish people with the same name. */
const mentionForm = /\|\d+$/;

/**
 * The stored form of a display name: trimmed, 2 to 100 code points, without characters that break mentions.
 *
 * @throws ApplicationError `nameTooShort`, `nameTooLong`, `nameInvalid`
 */
export function fullNameOf(sent: string): string {
  const name = sent.trim();
  const { length } = [...name];
  if (length > limits.fullName) throw failure('nameTooLong');
  if (length < limits.fullNameMinimum) throw failure('nameTooShort');
  if (!isPrintable(name) || forbidden.test(name) || mentionForm.test(name)) throw failure('nameInvalid');
  return name;
}

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

/** The account that is to have a name. */
interface NameOwner {
  /** Null while the account does not exist yet. */
  readonly userId: number | null;
  readonly snapshot: Snapshot;
}

/**
 * If the organization requires it (`require_unique_names`), no two active people have the same name, ignoring
 * case.
 *
 * @throws ApplicationError `nameTaken`
 */
export function assertNameIsFree(
  { users }: UserDirectory,
  fullName: string,
  { userId, snapshot }: NameOwner,
): void {
  if (snapshot.directory.organization?.settings.require_unique_names !== true) return;
  const key = nameKey(fullName);
  for (const { id, isActive, bot, fullName: name } of users.values()) {
    if (isActive && bot === null && id !== userId && nameKey(name) === key) throw failure('nameTaken');
  }
}

/**
 * No two active bots have the same name, ignoring case.
 *
 * @param userId the bot that is to have the name; null while it does not exist yet
 * @throws ApplicationError `botNameTaken`
 */
export function assertBotNameIsFree({ users }: UserDirectory, fullName: string, userId: number | null): void {
  const key = nameKey(fullName);
  for (const { id, isActive, bot, fullName: name } of users.values()) {
    if (isActive && bot !== null && id !== userId && nameKey(name) === key) throw failure('botNameTaken');
  }
}
