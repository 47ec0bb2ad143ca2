import type { User } from '../../access/records/user.js';
import type { Snapshot } from '../../access/snapshot.js';
import { messageAccess } from '../../contexts/messages/access.js';
import type { Placements } from '../../contexts/messages/placements.js';
import { readersAmong } from '../../contexts/messages/flags/read-receipts.js';
import type { FlaggedMessage } from '../../contexts/messages/flags/flags.state.js';
import type { MessageDocument } from '../../contexts/messages/message-document.js';
import type { MoveDocument } from '../../contexts/messages/move-documents.js';
import type { ModelStore } from '../../stores/read-store/port.js';
import { placementAt, storedMessage, type StoredMessage } from './conversation/conversation.js';
import { assertFollowed, type PastPlace } from './conversation/past-scene.js';
import { marksOf, sentFactsOf } from './audience-marks.js';
import type { PastSources } from './past-sources.js';

/** Somebody who could see a message. */
export interface AudienceMember {
  readonly userId: number;
  /** As they were called then; null: nothing is known. */
  readonly name: string | null;
  /** `received`: it reached them; `historical`: as part of a history that they could read. */
  readonly access: 'received' | 'historical';
  /** Whether they had it marked as read, whether or not they let others know. */
  readonly hasRead: boolean;
  /** Whether they sent it. */
  readonly isSender: boolean;
}

/**
 * Who could see a message at a place in the past, by their accounts, in the order of their ids: what an account reaches, its client could
 * have shown. Accounts that were deactivated then are left out. Null: there was no such message then.
 *
 * @throws ApplicationError `unavailable` while the read model has not come so far, and what the deadline ends it with
 */
export async function audienceOf(
  sources: PastSources,
  messageId: number,
  at: PastPlace,
): Promise<readonly AudienceMember[] | null> {
  const model = await sources.messages.model();
  await assertFollowed(sources, model, at.position);
  const stored = await storedMessage(model, messageId);
  if (stored === null || messageId > at.lastMessageId) return null;
  if (stored.deletedAt !== null && stored.deletedAt <= at.position) return null;
  const arrivals = await sources.messages.placements();
  const message = await messageThen(sources, model, { stored, arrivals, position: at.position });
  const { directory } = await sources.permissions.at(at.position, sources.deadline);
  const snapshot: Snapshot = { directory, now: at.now };
  const people = possibleViewers(snapshot, stored);
  const flags = await marksOf(sources, messageId, at.position);
  const readers = new Set(readersAmong(people, message, { snapshot, arrivals, flags }));
  const names = await sources.names.lookup(sources.deadline);
  return people.flatMap((user) => {
    sources.deadline.throwIfOver();
    const access = messageAccess({ snapshot, user, arrivals }, message);
    if (access === 'none') return [];
    const name = names.nameAt('person', user.id, at.position + 1);
    const isSender = user.id === message.senderId;
    return [{ userId: user.id, name, access, hasRead: readers.has(user.id), isSender }];
  });
}

/** Those of an audience who have read the message: its sender is none of them. */
export function readersIn(audience: readonly AudienceMember[]): readonly AudienceMember[] {
  return audience.filter(({ hasRead, isSender }) => hasRead && !isSender);
}

/** A message as permissions and flags take it, where it lay then. */
type MessageThen = FlaggedMessage & Pick<MessageDocument, 'participantIds'>;

async function messageThen(
  sources: PastSources,
  model: ModelStore,
  {
    stored,
    arrivals,
    position,
  }: { readonly stored: StoredMessage; readonly arrivals: Placements; readonly position: number },
): Promise<MessageThen> {
  const found = await model.collection<MoveDocument>('moves').find({ _id: { $in: [...stored.moves] } });
  const moves = new Map(found.map((move) => [move._id, move]));
  const { channelId, arrival } = placementAt(stored, position, { moves, arrivals });
  const { _id, senderId, givenToIds, participantIds } = stored;
  const facts = stored.present ?? (await sentFactsOf(sources, stored));
  const { readBySender, readOnArrival, mutedByIds } = facts;
  const place = { _id, senderId, channelId, arrival, givenToIds, participantIds };
  return { ...place, readBySender, readOnArrival, mutedByIds };
}

function possibleViewers(
  { directory }: Snapshot,
  { participantIds }: Pick<StoredMessage, 'participantIds'>,
): readonly User[] {
  const users = participantIds?.flatMap((id) => directory.user(id) ?? []) ?? [...directory.users()];
  return users.filter(({ isActive }) => isActive).sort((one, other) => one.id - other.id);
}
