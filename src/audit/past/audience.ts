import type { DirectoryFollower } from '../../access/directory-follower.js';
import type { Moment } from '../../access/moment.js';
import type { User } from '../../access/records/user.js';
import { AttentionReader } from '../../contexts/attention/attention-reader.js';
import { messageAccess } from '../../contexts/messages/access.js';
import { readersAmong } from '../../contexts/messages/flags/read-receipts.js';
import type { MessageDocument } from '../../contexts/messages/message-document.js';
import { MessageReader } from '../../contexts/messages/message-reader.js';
import { EmailLookup } from '../../contexts/users/email-lookup.js';
import type { SystemClock } from '../../runtime/system-clock.js';
import type { Vault } from '../../stores/key-store/vault.js';
import type { ServingModels } from '../../stores/read-store/serving-models.js';

/** A moment of the past: who existed then, and read models that know of nothing later. */
export interface PastScene {
  readonly models: ServingModels;
  readonly follower: DirectoryFollower;
  readonly clock: SystemClock;
  readonly stores: { readonly vault: Vault };
}

/** Somebody who could see a message. */
export interface AudienceMember {
  readonly userId: number;
  /** As they were called then. */
  readonly name: string;
  /** `received`: it reached them; `historical`: as part of a history that they could read. */
  readonly access: 'received' | 'historical';
  /** Whether they had it marked as read, whether or not they let others know. */
  readonly hasRead: boolean;
}

/**
 * Who could see a message at a moment, by their accounts, in the order of their ids: what an account reaches, its client could
 * have shown. Accounts that were deactivated then are left out. Null: there was no such message then.
 */
export async function audienceOf(
  scene: PastScene,
  messageId: number,
): Promise<readonly AudienceMember[] | null> {
  const { models, follower, clock, stores } = scene;
  const reader = new MessageReader(
    models,
    follower,
    new EmailLookup(stores.vault),
    clock,
    new AttentionReader(models),
  );
  const moment: Moment = { directory: follower.current(), now: clock.now() };
  const message = (await reader.cached([messageId])).get(messageId)?.document;
  if (message === undefined) return null;
  const arrivals = await reader.knownArrivals();
  const people = possibleViewers(moment, message);
  const flags = await reader.flagsOfAll(people.map(({ id }) => id));
  const readers = new Set(readersAmong(people, message, { moment, arrivals, flags }));
  return people.flatMap((user) => {
    const access = messageAccess({ moment, user, arrivals }, message);
    if (access === 'none') return [];
    return [{ userId: user.id, name: user.fullName, access, hasRead: readers.has(user.id) }];
  });
}

function possibleViewers({ directory }: Moment, { participantIds }: MessageDocument): readonly User[] {
  const users = participantIds?.flatMap((id) => directory.user(id) ?? []) ?? [...directory.users()];
  return users.filter(({ isActive }) => isActive).sort((one, other) => one.id - other.id);
}
