import { toSeconds } from '../../kernel/clock.js';
import type { Directory } from '../../access/directory.js';
import { emailFor } from '../../access/email-visibility.js';
import type { User } from '../../access/records/user.js';
import type { Snapshot } from '../../access/snapshot.js';
import type { RequestedPresence } from '../../realtime/queues/queue-options.js';
import type { Knows } from '../../access/known-people.js';
import type { LegacyPresence, PresenceReply, SlimPresence } from './presence.replies.js';
import { REMEMBERED_FOR, statusOf, type Presence } from './presence.js';
import type { PresenceBoard } from './presence-board.js';

/** Clients expect both times: for a person who was never active it is the time when they joined. */
export function slimPresence(
  { activeAt, connectedAt }: Presence,
  { joinedAt }: Pick<User, 'joinedAt'>,
): SlimPresence {
  // If the person joined just now, clients that were open before they were active may have an earlier time.
  const unknownActiveAt = Math.min(joinedAt, connectedAt);
  return { active_timestamp: toSeconds(activeAt ?? unknownActiveAt), idle_timestamp: toSeconds(connectedAt) };
}

/** Presence in the form for older clients. */
export function legacyPresence(presence: Presence): LegacyPresence {
  const { status, at } = statusOf(presence);
  const aggregated = { client: 'website', status, timestamp: toSeconds(at) } as const;
  return { aggregated, website: { ...aggregated, pushable: false } };
}

/** Seconds since the UNIX epoch, with a fraction: the server's time for clients. */
export function serverTimestamp(now: number): number {
  return now / 1000;
}

/** The presence that a client requests. */
export interface PresenceRequest {
  /** By account id and with two times, rather than by address and client program. */
  readonly isSlim: boolean;
  /** Only what changed after this update; null: everything. */
  readonly afterUpdateId: number | null;
  /** How far back, in milliseconds. */
  readonly within: number;
}

const DAY = 24 * 60 * 60 * 1000;

/** The request of a client; those that name an update always get the slim form. */
export function presenceRequestOf({ isSlim, afterUpdateId, days }: RequestedPresence): PresenceRequest {
  const within = Math.min((days ?? Infinity) * DAY, REMEMBERED_FOR);
  return { isSlim: isSlim || afterUpdateId !== null, afterUpdateId, within };
}

/** Everything of the last fortnight. */
export function wholePresence(isSlim: boolean): PresenceRequest {
  return { isSlim, afterUpdateId: null, within: REMEMBERED_FOR };
}

/** Where presence is looked up, for a viewer with the test whom they may know. */
interface PresenceSource {
  readonly board: PresenceBoard;
  readonly snapshot: Snapshot;
  readonly knows: Knows;
}

/**
 * The presence of everyone who is active and lets others see it. By address, people whom the viewer may not
 * know have a made-up one.
 */
export function visiblePresences(
  { board, snapshot: { directory, now }, knows }: PresenceSource,
  { isSlim, afterUpdateId, within }: PresenceRequest,
): PresenceReply {
  const presences: Record<string, SlimPresence | LegacyPresence> = {};
  for (const presence of board.changedSince(afterUpdateId ?? -1, now - within)) {
    const user = directory.user(presence.userId);
    if (user?.isActive !== true || !showsPresence(directory, user.id)) continue;
    if (isSlim) presences[user.id] = slimPresence(presence, user);
    else presences[emailFor(directory, user, knows(user))] = legacyPresence(presence);
  }
  return {
    presences,
    server_timestamp: serverTimestamp(now),
    presence_last_update_id: board.lastUpdateId,
  };
}

/** The presence of one account; null where none is visible. */
export function visiblePresence(board: PresenceBoard, directory: Directory, userId: number): Presence | null {
  return showsPresence(directory, userId) ? board.of(userId) : null;
}

/** Whether the person lets others see their presence. */
export function showsPresence(directory: Directory, userId: number): boolean {
  return directory.settings.value(userId, 'presence_enabled');
}
