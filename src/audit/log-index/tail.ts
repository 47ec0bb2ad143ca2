import { facetsOf, learnedFrom, messageOf } from '../../contexts/audit-index/facets.js';
import type { AuditRoleDocument, AuditSenderDocument } from '../../contexts/audit-index/read-model.js';
import type { Role } from '../../events/users.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import {
  decodeReadable,
  isReadable,
  type UnreadableEvent,
} from '../../stores/event-store/readable-events.js';
import type { ModelStore } from '../../stores/read-store/port.js';
import { isSelected, type LogSelection } from '../log/log-selection.js';
import { asStored } from '../log/selected-events.js';
import { groupsOf, type FacetGroup } from './facet-groups.js';

/** The events after those of the index, as far as they were read. */
export interface Tail {
  /** The selected ones, in log order. */
  readonly events: readonly (RecordedEvent | UnreadableEvent)[];
  /** Everything up to here was looked at; null: there are no events after those of the index. */
  readonly position: number | null;
  /** Whether the log ends here. */
  readonly isWhole: boolean;
}

/**
 * About the maximum number of events that a request reads this way. With more, a page of the newest events is refused.
 */
export const MAX_TAIL = 2_000;

/** Reads the events that are not in the index yet, and selects them by the same facets. */
export async function readTail(
  {
    log,
    index,
    after,
  }: { readonly log: EventLog; readonly index: ModelStore; readonly after: number | null },
  selection: LogSelection,
): Promise<Tail> {
  const facets = new TailFacets(index);
  const groups = groupsOf(selection);
  const { messageId: _messageId, ...others } = selection;
  const groupsOfMoves = groupsOf(others);
  const groupsFor = ({ position }: RecordedEvent): readonly FacetGroup[] =>
    selection.movedAt?.has(position) === true ? groupsOfMoves : groups;
  const events: (RecordedEvent | UnreadableEvent)[] = [];
  let position: number | null = null;
  let seen = 0;
  for await (const page of log.store.readAll({ after, pageSize: 500 })) {
    const stored = new Map(page.events.map((event) => [event.position, event]));
    for (const event of await decodeReadable(log, page.events)) {
      const isFound = isReadable(event)
        ? isInAll(await facets.of(event), groupsFor(event)) && isSelected(event, selection)
        : isSelected(asStored(stored.get(event.position)!), selection);
      if (isFound) events.push(event);
    }
    position = page.position;
    seen += page.events.length;
    if (page.live) return { events, position, isWhole: true };
    if (seen >= MAX_TAIL) return { events, position, isWhole: false };
  }
  return { events, position, isWhole: true };
}

function isInAll(facets: readonly string[], groups: readonly FacetGroup[]): boolean {
  return groups.every((group) => group.some((facet) => facets.includes(facet)));
}

/** Computes the facets of events one after another, each depending on those before it. */
class TailFacets {
  private readonly roles = new Map<number, Role | null>();
  private readonly senders = new Map<number, number | null>();

  constructor(private readonly index: ModelStore) {}

  async of(event: RecordedEvent): Promise<readonly string[]> {
    const { actorId } = event.metadata;
    const role = actorId === null ? null : await this.roleOf(actorId);
    const learned = learnedFrom(event);
    if (learned?.kind === 'sender') this.senders.set(learned.messageId, learned.senderId);
    const messageId = messageOf(event);
    const senderId = messageId === null ? null : await this.senderOf(messageId);
    if (learned?.kind === 'role') this.roles.set(learned.userId, learned.role);
    return facetsOf(event, { role, senderId });
  }

  private async roleOf(userId: number): Promise<Role | null> {
    const known = this.roles.get(userId);
    if (known !== undefined) return known;
    const found = await this.index.collection<AuditRoleDocument>('audit_roles').findOne({ _id: userId });
    this.roles.set(userId, found?.role ?? null);
    return found?.role ?? null;
  }

  private async senderOf(messageId: number): Promise<number | null> {
    const known = this.senders.get(messageId);
    if (known !== undefined) return known;
    const senders = this.index.collection<AuditSenderDocument>('audit_senders');
    const found = await senders.findOne({ _id: messageId });
    this.senders.set(messageId, found?.senderId ?? null);
    return found?.senderId ?? null;
  }
}
