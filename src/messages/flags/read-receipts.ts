import type { Moment } from '../../directory/moment.js';
import type { User } from '../../users/user.js';
import type { MessageDocument } from '../message-document.js';
import { canBeUnread, isRead, noFlags, type PersonalFlags } from './personal-flags.js';

/** The active people whom a message reached and who may not have read it, in the order of their ids: not its sender. */
export function possibleReaders(moment: Moment, message: MessageDocument): readonly User[] {
  const { directory } = moment;
  const ids = message.participantIds ?? directory.subscriberIds(message.channelId ?? 0);
  return ids
    .flatMap((id) => directory.user(id) ?? [])
    .filter(
      (user) => user.isActive && user.id !== message.senderId && canBeUnread({ moment, user }, message),
    );
}

/** Those who have read a message; of whoever mutes its sender nothing is known. */
export function readersAmong(
  people: readonly User[],
  message: MessageDocument,
  { moment, flags }: { readonly moment: Moment; readonly flags: ReadonlyMap<number, PersonalFlags> },
): readonly number[] {
  return people
    .filter(({ id }) => !message.mutedByIds.includes(id))
    .filter((user) => isRead({ moment, user, flags: flags.get(user.id) ?? noFlags }, message))
    .map(({ id }) => id);
}
