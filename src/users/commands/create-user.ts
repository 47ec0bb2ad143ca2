import { failure } from '../../kernel/errors.js';
import { idAtRevision } from '../../kernel/ids.js';
import type { Acting } from '../decisions.js';
import type { UserEvent } from '../events.js';
import { isAdministrator, roles } from '../roles.js';
import { actingUser, type UserDirectory } from '../user-directory.js';

/** What a new person's account is made of, checked and ready to be kept. */
export interface NewPerson {
  readonly email: string;
  readonly emailDigest: string;
  readonly fullName: string;
}

/**
 * Administrators make accounts for others; an address belongs to one account for good.
 *
 * @throws ApplicationError `administratorRequired`, `emailTaken`
 */
export function decideCreateUser(
  state: UserDirectory,
  person: NewPerson,
  { actorId }: Acting,
): readonly UserEvent[] {
  if (!isAdministrator(actingUser(state, actorId))) throw failure('administratorRequired');
  if (state.idsByEmailDigest.has(person.emailDigest)) throw failure('emailTaken');
  const userId = idAtRevision(state.nextRevision);
  return [
    {
      type: 'UserRegistered',
      data: { userId, ...person, role: roles.member, bot: null, awaitsFirstLogin: true },
    },
  ];
}
