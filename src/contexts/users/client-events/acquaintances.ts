import { hidesPeople, mayKnow } from '../../../access/acquaintances.js';
import { DirectConversations } from '../../../access/direct-conversations.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { User } from '../../../access/records/user.js';
import { OrganizationPermissionsChanged } from '../../../events/organization.js';
import { settingEvents } from '../../../events/settings.js';
import { statusEvents } from '../../../events/statuses.js';
import { userEvents } from '../../../events/users.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import {
  mapper,
  type AddressedEvent,
  type ConnectedAccounts,
  type Mapper,
  type MappersByType,
  type Receiver,
} from '../../../realtime/mapper.js';
import type { AcquaintanceModels } from '../client-models.js';
import { acquaintanceRows, type AcquaintanceChange } from './acquaintance-changes.js';
import { additionEvent, removalEvent } from './person-events.js';

/** Events after which clients get something new about the people named in their data. */
const personEventTypes: ReadonlySet<string> = new Set(
  [...userEvents, ...settingEvents, ...statusEvents].map(({ type }) => type),
);

/**
 * Hides people from viewers who may not know them: client events about such a person are left out. When an
 * event makes somebody known to a viewer, the viewer gets the creation of that account before it; when it
 * makes somebody unknown, the removal after it. Nothing changes where the organization hides nobody.
 *
 * @param alsoOf the further events that a viewer gets after the creation of an account, about its present state
 */
export function amongAcquaintances<Models extends AcquaintanceModels>(
  mappers: MappersByType<Models>,
  alsoOf: StateEvents = () => [],
): MappersByType<Models> {
  return new Map(
    [...mappers].map(([type, line]) => {
      const isConcerned = personEventTypes.has(type) || acquaintanceRows[type] !== undefined;
      return [type, isConcerned ? filteredByAcquaintance(line, alsoOf) : line];
    }),
  );
}

/** Client events that describe the current state of an account to somebody who did not know it. */
type StateEvents = (user: User, snapshot: Snapshot) => readonly ClientEvent[];

interface Before {
  readonly inner: unknown;
  readonly change: unknown;
}

interface Read {
  readonly inner: unknown;
  readonly conversations: DirectConversations;
}

function filteredByAcquaintance<Models extends AcquaintanceModels>(
  line: Mapper<RecordedEvent, Models>,
  alsoOf: StateEvents,
): Mapper<RecordedEvent, Models> {
  return mapper<RecordedEvent, Models, Before, Read>({
    before: (event, snapshot) => ({
      inner: line.before?.(event, snapshot),
      change: acquaintanceRows[event.type]?.before?.(event, snapshot),
    }),
    read: async (event, models, snapshot) => {
      const [inner, conversations] = await Promise.all([
        line.read?.(event, models, snapshot),
        conversationsFor(event, models, snapshot),
      ]);
      return { inner, conversations };
    },
    clientEvents: (event, context) => {
      const { snapshot, before, read } = context;
      const unfiltered = line.clientEvents(event, { ...context, before: before.inner, read: read.inner });
      const until = (position: number): AcquaintanceContext => ({
        snapshot,
        conversations: read.conversations.asOf(position),
      });
      const earlier = until(event.position - 1);
      const change =
        acquaintanceRows[event.type]?.change(event, { ...earlier, before: before.change }) ?? null;
      const now = until(event.position);
      const known = hidesPeople(snapshot) ? unfiltered.map((one) => toAcquaintances(one, now)) : unfiltered;
      if (change === null) return known;
      return [additions(change, now, alsoOf), ...known, removals(change, now)];
    },
  });
}

/** Who may know whom after an event. */
interface AcquaintanceContext {
  readonly snapshot: Snapshot;
  readonly conversations: DirectConversations;
}

/**
 * Nothing is looked up while nobody is hidden. If that changes within the same page of the log, the state
 * from before the page applies.
 */
async function conversationsFor(
  event: RecordedEvent,
  models: AcquaintanceModels,
  snapshot: Snapshot,
): Promise<DirectConversations> {
  if (!hidesPeople(snapshot) && event.type !== OrganizationPermissionsChanged.type) {
    return DirectConversations.none;
  }
  const ids = [...peopleOf(event), ...conversationsNeeded(event, models, snapshot)];
  return ids.length === 0 ? DirectConversations.none : models.directConversations([...new Set(ids)]);
}

function conversationsNeeded(
  event: RecordedEvent,
  listeners: ConnectedAccounts,
  snapshot: Snapshot,
): readonly number[] {
  return acquaintanceRows[event.type]?.conversationsOf(event, snapshot, listeners) ?? [];
}

/** Ids of the people about whom an event has new facts. */
function peopleOf({ type, data }: RecordedEvent): readonly number[] {
  if (!personEventTypes.has(type)) return [];
  const { userId, userIds = [] } = data as { readonly userId?: number; readonly userIds?: readonly number[] };
  return userId === undefined ? userIds : [userId];
}

/** Restricts a client event about a person to viewers who may know them. */
function toAcquaintances({ to, event }: AddressedEvent, now: AcquaintanceContext): AddressedEvent {
  const isFor = (viewer: User, made: ClientEvent): boolean => {
    const id = subjectOf(made);
    const subject = id === null ? null : now.snapshot.directory.user(id);
    if (subject === null || !now.conversations.includes(subject.id, viewer.id)) return true;
    return mayKnow(now.snapshot, { viewer, conversations: now.conversations }, subject);
  };
  if (typeof event !== 'function') {
    if (subjectOf(event) === null) return { to, event };
    return { to, event: ({ user }) => (isFor(user, event) ? event : null) };
  }
  return {
    to,
    event: (receiver) => {
      const made = event(receiver);
      if (made === null) return null;
      const all = Array.isArray(made) ? (made as readonly ClientEvent[]) : [made as ClientEvent];
      return all.filter((one) => isFor(receiver.user, one));
    },
  };
}

/** Id of the account that a client event describes to viewers who know it; null: none. */
function subjectOf({ type, op, person, user_id: userId }: ClientEvent): number | null {
  if (type === 'user_status') return userId as number;
  if (type !== 'realm_user' || op !== 'update') return null;
  return (person as { readonly user_id: number }).user_id;
}

/** Sent before everything else, so that clients know the people in the other events. */
function additions(
  change: AcquaintanceChange,
  now: AcquaintanceContext,
  alsoOf: StateEvents,
): AddressedEvent {
  const additions = new Map<number, (receiver: Receiver) => ClientEvent>();
  return {
    to: (viewer) => change.concerns(viewer),
    event: (receiver) => {
      const { user: viewer } = receiver;
      return othersOf(change, viewer, now).flatMap((other) => {
        if (change.knew(viewer, other) || !knows(viewer, other, now)) return [];
        const add = additions.get(other.id) ?? additionEvent(other, now.snapshot);
        additions.set(other.id, add);
        return [add(receiver), ...alsoOf(other, now.snapshot)];
      });
    },
  };
}

function removals(change: AcquaintanceChange, now: AcquaintanceContext): AddressedEvent {
  const removals = new Map<number, ClientEvent>();
  return {
    to: (viewer) => change.concerns(viewer),
    event: ({ user: viewer }) =>
      othersOf(change, viewer, now).flatMap((other) => {
        const isLost =
          now.conversations.includes(viewer.id, other.id) &&
          change.knew(viewer, other) &&
          !knows(viewer, other, now);
        if (!isLost) return [];
        const removal = removals.get(other.id) ?? removalEvent(other);
        removals.set(other.id, removal);
        return [removal];
      }),
  };
}

function knows(viewer: User, other: User, { snapshot, conversations }: AcquaintanceContext): boolean {
  return mayKnow(snapshot, { viewer, conversations }, other);
}

function othersOf(
  change: AcquaintanceChange,
  viewer: User,
  { snapshot: { directory } }: AcquaintanceContext,
): readonly User[] {
  return [...change.others(viewer)].flatMap((id) => directory.user(id) ?? []);
}
