import type { User } from '../../../access/records/user.js';
import { statusOf, type Presence } from '../presence.js';
import type { LegacyPresence, SlimPresence } from '../client-schemas.js';

/** Clients expect both times: somebody who was never seen to do anything did so, as it were, when they joined. */
export function slimPresence(
  { activeAt, connectedAt }: Presence,
  { joinedAt }: Pick<User, 'joinedAt'>,
): SlimPresence {
  // Who joined just now may be told to be gone for longer.
  const unknownActiveAt = Math.min(joinedAt, connectedAt);
  return { active_timestamp: seconds(activeAt ?? unknownActiveAt), idle_timestamp: seconds(connectedAt) };
}

/** Presence as clients have it that do not ask for the slim form. */
export function legacyPresence(presence: Presence): LegacyPresence {
  const { status, at } = statusOf(presence);
  const aggregated = { client: 'website', status, timestamp: seconds(at) } as const;
  return { aggregated, website: { ...aggregated, pushable: false } };
}

/** Seconds since the UNIX epoch, with a fraction: how clients are told the server's time. */
export function serverTimestamp(now: number): number {
  return now / 1000;
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
