import type { User } from '../../../access/records/user.js';
import { statusOf, type Presence } from '../presence.js';
import type { LegacyPresence, SlimPresence } from '../client-schemas.js';

/** Clients expect both times: for a person who was never active it is the time when they joined. */
export function slimPresence(
  { activeAt, connectedAt }: Presence,
  { joinedAt }: Pick<User, 'joinedAt'>,
): SlimPresence {
  // If the person joined just now, clients that were open before they were active may have an earlier time.
  const unknownActiveAt = Math.min(joinedAt, connectedAt);
  return { active_timestamp: seconds(activeAt ?? unknownActiveAt), idle_timestamp: seconds(connectedAt) };
}

/** Presence in the form for older clients. */
export function legacyPresence(presence: Presence): LegacyPresence {
  const { status, at } = statusOf(presence);
  const aggregated = { client: 'website', status, timestamp: seconds(at) } as const;
  return { aggregated, website: { ...aggregated, pushable: false } };
}

/** Seconds since the UNIX epoch, with a fraction: the server's time for clients. */
export function serverTimestamp(now: number): number {
  return now / 1000;
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
