import type { User } from '../../users/user.js';
import type { MessageDocument } from '../message-document.js';
import { canBeUnread, isRead, noFlags, type FlagsOwner, type PersonalFlags } from './personal-flags.js';

/** As of when it is asked, and by which moves messages came to where they lie. */
type Scene = Pick<FlagsOwner, 'moment' | 'arrivals'>;

/**
 * The active people whom a message reached and who may not have read it, in the order of their ids: not its sender, nor whoever
 * keeps to themselves what they read.
 */
export function possibleReaders(scene: Scene, message: MessageDocument): readonly User[] {
  const { directory } = scene.moment;
  const ids = message.participantIds ?? directory.subscriberIds(message.channelId ?? 0);
  return ids
    .flatMap((id) => directory.user(id) ?? [])
    .filter(
      (user) =>
        user.isActive &&
        user.id !== message.senderId &&
        directory.settings.value(user.id, 'send_read_receipts') &&
        canBeUnread({ ...scene, user }, message),
    );
}

/** Who asks who has read a message. */
export interface Inquirer {
  readonly mutedIds: ReadonlySet<number>;
  /** Who mutes them. */
  readonly mutedByIds: ReadonlySet<number>;
}

/** Those of people of whom somebody may learn that they read something: nobody whom they mute, or who mutes them. */
export function knownTo({ mutedIds, mutedByIds }: Inquirer, people: readonly User[]): readonly User[] {
  return people.filter(({ id }) => !mutedIds.has(id) && !mutedByIds.has(id));
}

/** Those who have read a message; of whoever mutes its sender nothing is known. */
export function readersAmong(
  people: readonly User[],
  message: MessageDocument,
  { flags, ...scene }: Scene & { readonly flags: ReadonlyMap<number, PersonalFlags> },
): readonly number[] {
  return people
    .filter(({ id }) => !message.mutedByIds.includes(id))
    .filter((user) => isRead({ ...scene, user, flags: flags.get(user.id) ?? noFlags }, message))
    .map(({ id }) => id);
}
