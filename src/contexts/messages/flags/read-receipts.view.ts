import type { User } from '../../../access/records/user.js';
import type { MessageDocument } from '../message-document.js';
import { messageAccess } from '../access.js';
import {
  isPersonal,
  isRead,
  noFlags,
  reached,
  type FlaggedMessage,
  type FlagsOwner,
  type PersonalFlags,
} from './flags.state.js';

/** The snapshot that readers are judged by, and the placements of moved messages. */
type FlagsContext = Pick<FlagsOwner, 'snapshot' | 'placements'>;

/**
 * The active people and bots who may have read a message, in the order of their ids: those whom it reached,
 * even if they left since, and those who may have starred it as history. The sender is left out, and so is
 * everyone who does not share read receipts.
 */
export function possibleReaders(context: FlagsContext, message: MessageDocument): readonly User[] {
  const { directory } = context.snapshot;
  const people = message.participantIds?.flatMap((id) => directory.user(id) ?? []) ?? [...directory.users()];
  return people.filter(
    (user) =>
      user.isActive &&
      user.id !== message.senderId &&
      directory.settings.value(user.id, 'send_read_receipts') &&
      (reached({ ...context, user }, message) ||
        messageAccess({ ...context, user }, message) === 'historical'),
  );
}

/** The person who asks who has read a message. */
interface ReceiptsViewer {
  readonly mutedIds: ReadonlySet<number>;
  /** Ids of the people who mute the asking person. */
  readonly mutedByIds: ReadonlySet<number>;
}

/**
 * Those of the people whose read receipts the asking person may see: nobody whom they mute, or who mutes
 * them.
 */
export function withoutMuted(
  { mutedIds, mutedByIds }: ReceiptsViewer,
  people: readonly User[],
): readonly User[] {
  return people.filter(({ id }) => !mutedIds.has(id) && !mutedByIds.has(id));
}

/** Those of the people who have read a message that is their own: it reached them, or they starred it. */
export function readersAmong(
  people: readonly User[],
  message: FlaggedMessage,
  { flags, ...context }: FlagsContext & { readonly flags: ReadonlyMap<number, PersonalFlags> },
): readonly number[] {
  return people
    .filter((user) => {
      const owner = { ...context, user, flags: flags.get(user.id) ?? noFlags };
      return isPersonal(owner, message) && isRead(owner, message);
    })
    .map(({ id }) => id);
}
