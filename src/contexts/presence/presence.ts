/** When a person was last here. All times are milliseconds since the UNIX epoch. */
export interface Presence {
  readonly userId: number;
  /** When they last did something; null: not that anybody knew. */
  readonly activeAt: number | null;
  /** When a client of theirs was last open. */
  readonly connectedAt: number;
}

/** What a client says of the person at it. */
export const presenceStatuses = ['active', 'idle'] as const;
export type PresenceStatus = (typeof presenceStatuses)[number];

/** What clients are told of how to deal with presence, in milliseconds (facts of the events, section 3, `realm`). */
export const pingInterval = 60_000;
export const offlineAfter = 200_000;

/** How far back presence is remembered, in milliseconds. */
export const rememberedFor = 14 * 24 * 60 * 60 * 1000;

/** A person counts as active for so long after they last did something, in milliseconds. */
const activeFor = 70_000;

/** What a client's report makes of what was known. */
export function reported(
  known: Presence | null,
  { userId, status, at }: { readonly userId: number; readonly status: PresenceStatus; readonly at: number },
): Presence {
  const report = { userId, activeAt: status === 'active' ? at : null, connectedAt: at };
  return known === null ? report : latest(known, report);
}

/** What two observers know together. */
export function latest(one: Presence, other: Presence): Presence {
  const activeAt = Math.max(one.activeAt ?? 0, other.activeAt ?? 0);
  return {
    userId: one.userId,
    activeAt: activeAt === 0 ? null : activeAt,
    connectedAt: Math.max(one.connectedAt, other.connectedAt),
  };
}

/** Whether the person is at a client and does something there. */
export function isOnline({ activeAt }: Presence, now: number): boolean {
  return activeAt !== null && now - activeAt <= offlineAfter;
}

/** What others are told of somebody who does not want to be seen: that they are gone. */
export function unseen(userId: number, now: number): Presence {
  return { userId, activeAt: null, connectedAt: now - offlineAfter - 1000 };
}

/** What older clients call the person, and since when. */
export function statusOf({ activeAt, connectedAt }: Presence): {
  readonly status: PresenceStatus;
  readonly at: number;
} {
  return activeAt !== null && activeAt + activeFor >= connectedAt
    ? { status: 'active', at: activeAt }
    : { status: 'idle', at: connectedAt };
}
