import type { Snapshot } from '../../access/snapshot.js';
import { failure } from '../../kernel/errors.js';
import { nameKey } from '../../kernel/text.js';
import type { UserDirectory } from './users.state.js';

/** Who would bear a name. */
export interface NameBearer {
  /** Null while they have no account yet. */
  readonly userId: number | null;
  readonly snapshot: Snapshot;
}

/**
 * Where the organization wants it so (`require_unique_names`), no two people who are active have one name, whatever its case.
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
 * No two active bots have one name, whatever its case.
 *
 * @param userId the bot that would bear it; null while it has no account yet
 * @throws ApplicationError `botNameTaken`
 */
export function assertBotNameIsFree({ users }: UserDirectory, fullName: string, userId: number | null): void {
  const key = nameKey(fullName);
  for (const { id, isActive, bot, fullName: name } of users.values()) {
    if (isActive && bot !== null && id !== userId && nameKey(name) === key) throw failure('botNameTaken');
  }
}
