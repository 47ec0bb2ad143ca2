import { botTypes, mayCreateBot } from '../../directory/people-permissions.js';
import { nameKey } from '../../directory/name-index.js';
import { failure } from '../../kernel/errors.js';
import { idAtRevision } from '../../kernel/ids.js';
import type { ActingAt } from '../decisions.js';
import type { UserEvent } from '../events.js';
import { roles } from '../roles.js';
import { actingUser, type UserDirectory } from '../user-directory.js';

/** What a new bot is made of, checked and ready to be kept. */
export interface NewBot {
  readonly email: string;
  readonly emailDigest: string;
  readonly fullName: string;
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  readonly type: number;
}

/**
 * A bot belongs to whoever makes it.
 *
 * @throws ApplicationError `invalidBotType`, `insufficientPermission`, `botNameTaken`, `emailTaken`
 */
export function decideCreateBot(
  state: UserDirectory,
  { type, ...identity }: NewBot,
  { actorId, moment }: ActingAt,
): readonly UserEvent[] {
  if (!Object.values<number>(botTypes).includes(type)) throw failure('invalidBotType');
  if (!mayCreateBot(moment, actingUser(state, actorId), type)) throw failure('insufficientPermission');
  if (hasBotNamed(state, identity.fullName)) throw failure('botNameTaken');
  if (state.idsByEmailDigest.has(identity.emailDigest)) throw failure('emailTaken');
  const bot = { type, ownerId: actorId, isSystem: false };
  const userId = idAtRevision(state.nextRevision);
  return [
    {
      type: 'UserRegistered',
      data: { userId, ...identity, role: roles.member, bot, awaitsFirstLogin: false },
    },
  ];
}

function hasBotNamed({ users }: UserDirectory, name: string): boolean {
  const key = nameKey(name);
  return [...users.values()].some(
    (user) => user.isActive && user.bot !== null && nameKey(user.fullName) === key,
  );
}
