import type { Directory } from '../../access/directory.js';
import type { User } from '../../access/records/user.js';

/** The people whose private data might be exported: active people. Bots do not decide for themselves. */
export function activePeople(directory: Directory): readonly User[] {
  return [...directory.users()].filter(({ isActive, bot }) => isActive && bot === null);
}

/** The people who let administrators export what only some may read. */
export function consentingPeople(directory: Directory): readonly User[] {
  return activePeople(directory).filter(({ id }) => hasConsented(directory, id));
}

/** Whether a person has set `allow_private_data_export`. */
export function hasConsented({ settings }: Directory, userId: number): boolean {
  return settings.value(userId, 'allow_private_data_export') === true;
}
