import type { Snapshot } from '../../access/snapshot.js';
import { failure } from '../../kernel/errors.js';
import { nameKey } from '../../kernel/text.js';
import type { UserDirectory } from './users.state.js';

/** The account that is to have a name. */
export interface NameBearer {
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
  { userId, snapshot }: NameBearer,
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
