import type { EventLog } from '../../stores/event-store/event-log.js';
import { decodeReadable, isReadable } from '../../stores/event-store/readable-events.js';
import { UserRegistered, UserRoleChanged, type Role } from '../../events/users.js';
import type { RecordedEvent } from '../../kernel/event.js';

type RoleEvent = Pick<RecordedEvent, 'type' | 'position'> & {
  readonly data: { readonly userId: number; readonly role: Role };
};

/** The role of every account at every position of the log. */
class RoleHistory {
  private readonly changes = new Map<number, { readonly position: number; readonly role: Role }[]>();

  /** Learns from an event. Events must come in log order. */
  learn({ position, data: { userId, role } }: RoleEvent): void {
    const known = this.changes.get(userId) ?? [];
    known.push({ position, role });
    this.changes.set(userId, known);
  }

  /**
   * The role of an account at the position of an event; null: the account did not exist, or the actor is the server.
   */
  roleAt(userId: number | null, position: number): Role | null {
    if (userId === null) return null;
    return this.changes.get(userId)?.findLast((change) => change.position < position)?.role ?? null;
  }
}

/** Reads the roles of all accounts, as far as the log can be read. */
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
