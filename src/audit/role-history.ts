import type { EventLog } from '../stores/event-store/event-log.js';
import { decodeReadable, isReadable } from '../stores/event-store/readable-events.js';
import { UserRegistered, UserRoleChanged, type Role } from '../events/users.js';
import type { RecordedEvent } from '../kernel/event.js';

type RoleEvent = Pick<RecordedEvent, 'type' | 'position'> & {
  readonly data: { readonly userId: number; readonly role: Role };
};

/** Which role everybody had at every position of the log. */
export class RoleHistory {
  private readonly changes = new Map<number, { readonly position: number; readonly role: Role }[]>();

  /** Takes note of an event. Events must come in log order. */
  learn({ position, data: { userId, role } }: RoleEvent): void {
    const known = this.changes.get(userId) ?? [];
    known.push({ position, role });
    this.changes.set(userId, known);
  }

  /** The role that somebody had when an event came; null: they had no account, or it was the server. */
  roleAt(userId: number | null, position: number): Role | null {
    if (userId === null) return null;
    return this.changes.get(userId)?.findLast((change) => change.position < position)?.role ?? null;
  }
}

/** The roles of everybody, as far as the log can be read. */
export async function readRoleHistory(log: EventLog): Promise<RoleHistory> {
  const history = new RoleHistory();
  const types = [UserRegistered.type, UserRoleChanged.type];
  for await (const { events } of log.store.readAll({ after: null, types })) {
    for (const event of await decodeReadable(log, events)) {
      if (isReadable(event)) history.learn(event as RoleEvent);
    }
  }
  return history;
}
