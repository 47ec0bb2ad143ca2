/** When a person was last here. All times are in milliseconds since the UNIX epoch. */
export interface Presence {
  readonly userId: number;
  /** When they were last active; null: unknown. */
  readonly activeAt: number | null;
  /** When a client of theirs was last open. */
  readonly connectedAt: number;
}

/** What a client reports about its person. */
export const presenceStatuses = ['active', 'idle'] as const;
export type PresenceStatus = (typeof presenceStatuses)[number];

/** Interval in which clients report presence, in milliseconds. */
export const PING_INTERVAL = 60_000;
export const OFFLINE_AFTER = 200_000;

/** How long presence is kept, in milliseconds. */
export const REMEMBERED_FOR = 14 * 24 * 60 * 60 * 1000;

/**
 * Maximum time from a person's last activity to the last report of a client, in milliseconds, for the status `active`
 * that older clients get.
 */
const ACTIVE_FOR = 70_000;

/** Applies a client's report to what is known. */
export function reported(
  known: Presence | null,
  { userId, status, at }: { readonly userId: number; readonly status: PresenceStatus; readonly at: number },
): Presence {
  const report = { userId, activeAt: status === 'active' ? at : null, connectedAt: at };
  return known === null ? report : latest(known, report);
}

/** Combines what two processes know. */
export function latest(one: Presence, other: Presence): Presence {
  const activeAt = Math.max(one.activeAt ?? 0, other.activeAt ?? 0);
  return {
    userId: one.userId,
    activeAt: activeAt === 0 ? null : activeAt,
    connectedAt: Math.max(one.connectedAt, other.connectedAt),
  };
}

/** Whether the person is active at a client. */
export function isOnline({ activeAt }: Presence, now: number): boolean {
  return activeAt !== null && now - activeAt <= OFFLINE_AFTER;
}

/** The presence of a person who does not want to be seen: offline. */
export function unseen(userId: number, now: number): Presence {
  return { userId, activeAt: null, connectedAt: now - OFFLINE_AFTER - 1000 };
}

/** The status of a person for older clients, and since when. */
export function statusOf({ activeAt, connectedAt }: Presence): {
  readonly status: PresenceStatus;
  readonly at: number;
} {
  return activeAt !== null && activeAt + ACTIVE_FOR >= connectedAt
    ? { status: 'active', at: activeAt }
    : { status: 'idle', at: connectedAt };
}
