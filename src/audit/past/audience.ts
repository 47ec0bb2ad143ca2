import type { User } from '../../access/records/user.js';
import type { Snapshot } from '../../access/snapshot.js';
import { messageAccess } from '../../contexts/messages/access.js';
import type { Placements } from '../../contexts/messages/placements.js';
import { readersAmong } from '../../contexts/messages/flags/read-receipts.view.js';
import { wasGivenByMove, type FlaggedMessage } from '../../contexts/messages/flags/flags.state.js';
import type { MessageDocument } from '../../contexts/messages/message-document.js';
import type { MoveDocument } from '../../contexts/messages/moves/move-documents.js';
import type { ModelStore } from '../../stores/read-store/port.js';
import { placementAt, storedMessage, type StoredMessage } from './conversation/conversation.js';
import { assertFollowed, type ResolvedMoment } from './conversation/past-conversation-view.js';
import { marksOf, sentFactsOf, type Reading } from './audience-marks.js';
import type { PastSources } from './past-sources.js';

/** Somebody who could see a message. */
export interface AudienceMember {
  readonly userId: number;
  /** Their name at that time; null: unknown. */
  readonly name: string | null;
  /** `received`: the message was delivered to them; `historical`: they could read it in the history of the channel. */
  readonly access: 'received' | 'historical';
  /** Whether they read it, as their clients reported it, whether or not they send read receipts; or sent or starred it. */
  readonly hasRead: boolean;
  /** When they read or starred it; null: they did not, or only sent it. */
  readonly reading: Reading | null;
  /**
   * Whether it counts as read for them although they did not read it: it was marked as read when they left the channel
   * or muted its sender, or counted as read when it arrived.
   */
  readonly markedRead: boolean;
  /** Whether they sent it. */
  readonly isSender: boolean;
}

/**
 * Lists who could see a message at a moment in the past, in the order of their ids: everybody whose client could have
 * shown it. Accounts that were deactivated at that time are left out. Null: the message did not exist then.
 *
 * @throws ApplicationError `unavailable` while the read model has not reached that moment; the error of the deadline
 */
export async function audienceOf(
  sources: PastSources,
  messageId: number,
  at: ResolvedMoment,
): Promise<readonly AudienceMember[] | null> {
  const model = await sources.messages.model();
  await assertFollowed(sources, model, at.position);
  const stored = await storedMessage(model, messageId);
  if (stored === null || messageId > at.lastMessageId) return null;
  if (stored.deletedAt !== null && stored.deletedAt <= at.position) return null;
  const placements = await sources.messages.placements();
  const message = await messageThen(sources, model, { stored, placements, position: at.position });
  const { directory } = await sources.permissions.at(at.position, sources.deadline);
  const snapshot: Snapshot = { directory, now: at.now };
  const people = possibleViewers(snapshot, stored);
  const wasGiven = (userId: number): boolean => {
    const user = directory.user(userId);
    return user !== null && wasGivenByMove({ snapshot, user, placements }, message);
  };
  const { flags, readings, adoptions } = await marksOf(sources, message, { position: at.position, wasGiven });
  const marked = new Set(readersAmong(people, message, { snapshot, placements, flags }));
  const names = await sources.names.lookup(sources.deadline);
  return people.flatMap((user) => {
    sources.deadline.throwIfOver();
    const access = messageAccess({ snapshot, user, placements }, message);
    if (access === 'none') return [];
    const name = names.nameAt('person', user.id, at.position + 1);
    const isSender = user.id === message.senderId;
    const isMarked = marked.has(user.id);
    const opened = readings.get(user.id) ?? adoptions.get(user.id) ?? null;
    const hasOpened = isSender || opened !== null;
    const hasRead = isMarked && hasOpened;
    const reading = isMarked ? opened : null;
    return [
      { userId: user.id, name, access, hasRead, reading, isSender, markedRead: isMarked && !hasOpened },
    ];
  });
}

/** A member of an audience as the API and the command line show it. */
export interface ShownMember {
  readonly user_id: number;
  readonly full_name: string | null;
  readonly access: AudienceMember['access'];
  readonly has_read: boolean;
  readonly is_sender: boolean;
  readonly marked_read: boolean;
  /** Milliseconds since the UNIX epoch. */
  readonly read_at: number | null;
  readonly read_position: number | null;
}

export function shownMember({
  userId,
  name,
  access,
  hasRead,
  reading,
  isSender,
  markedRead,
}: AudienceMember): ShownMember {
  return {
    user_id: userId,
    full_name: name,
    access,
    has_read: hasRead,
    is_sender: isSender,
    marked_read: markedRead,
    read_at: reading?.at ?? null,
    read_position: reading?.position ?? null,
  };
}

/** The members of an audience who have read the message, without its sender. */
export function readersIn(audience: readonly AudienceMember[]): readonly AudienceMember[] {
  return audience.filter(({ hasRead, isSender }) => hasRead && !isSender);
}

/** What permissions and flags need to know about a message at its place of that time. */
type MessageThen = FlaggedMessage & Pick<MessageDocument, 'participantIds'>;

async function messageThen(
  sources: PastSources,
  model: ModelStore,
  {
    stored,
    placements,
    position,
  }: { readonly stored: StoredMessage; readonly placements: Placements; readonly position: number },
): Promise<MessageThen> {
  const found = await model.collection<MoveDocument>('moves').find({ _id: { $in: [...stored.moves] } });
  const moves = new Map(found.map((move) => [move._id, move]));
  const { channelId, arrival } = placementAt(stored, position, { moves, placements });
  const { _id, senderId, givenToIds, participantIds } = stored;
  const place = { _id, senderId, channelId, arrival, givenToIds, participantIds };
  return { ...place, ...(await sentFactsOf(sources, stored)) };
}

function possibleViewers(
  { directory }: Snapshot,
  { participantIds }: Pick<StoredMessage, 'participantIds'>,
): readonly User[] {
  const users = participantIds?.flatMap((id) => directory.user(id) ?? []) ?? [...directory.users()];
  return users.filter(({ isActive }) => isActive).sort((one, other) => one.id - other.id);
}
