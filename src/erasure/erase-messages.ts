import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Reactor } from '../../projections/engine/reactor.js';
import type { DirectoryFollower } from '../access/directory-follower.js';
import type { LegalHolds } from '../audit/cases/legal-holds.js';
import { CaseHoldLifted, CaseHoldPlaced } from '../events/cases.js';
import { MessageDeleted } from '../events/messages.js';
import type { RecordedEvent } from '../kernel/event.js';
import { handlers, on } from '../kernel/event-handlers.js';
import type { EventStore, PersistedEvent } from '../stores/event-store/port.js';
import type { ErasableModels } from './erasable-models.js';
import type { Eraser } from './eraser.js';
import type { DeferredMessage } from '../audit/cases/erasures.decide.js';
import type { DeletedMessage, MessageTraces } from './message-traces.js';

/** Whether deleted messages are also erased (the organization's `message_erasure_policy`). */
export function erasesWhatIsDeleted(follower: DirectoryFollower): boolean {
  return follower.current().organization?.settings.message_erasure_policy === 'erase';
}

/** What {@link EraseMessages} needs. */
interface EraseMessagesOptions {
  readonly eraser: Pick<Eraser, 'deferMessages' | 'deferredMessages' | 'eraseMessages'>;
  readonly traces: Pick<MessageTraces, 'of'>;
  readonly log: { readonly store: Pick<EventStore, 'readAll'> };
  readonly follower: DirectoryFollower;
  readonly models: Pick<ErasableModels, 'pass'>;
  readonly legalHolds: Pick<LegalHolds, 'anyAt' | 'casesOfMessage'>;
}

/** How many messages one batch erases, where many are deleted (a topic, or expired messages). */
const AT_ONCE = 500;

/** How many of the last deletions are remembered: more than a reactor is given again after a failure. */
const REMEMBERED = 10_000;

/** How many messages are checked for legal holds concurrently. */
const CONCURRENT_CHECKS = 20;

/**
 * Erases deleted messages, where the organization wants that; the reply to a deletion waits for it. Messages under a legal hold are
 * deferred until the hold is lifted. One reactor handles both, so that it never sees a deletion after the lifting that follows it in the
 * log.
 */
export class EraseMessages implements Reactor {
  readonly name = 'erase-messages';
  readonly on = handlers(
    on(MessageDeleted, (event) => this.erase(event)),
    on(CaseHoldLifted, (event) => this.eraseDeferred(event)),
  );

  /** Ids of the last handled deletions: batches run ahead of the reactor's checkpoint. */
  private readonly handled = new LRUCache<string, true>({ max: REMEMBERED });

  /** Position of the last handled deletion. An earlier one that was not handled had been discarded, and was restored. */
  private handledThrough = -1;

  constructor(private readonly options: EraseMessagesOptions) {}

  private async erase(event: RecordedEvent): Promise<void> {
    const { follower, models } = this.options;
    if (this.handled.has(event.id)) return;
    if (!erasesWhatIsDeleted(follower)) return;
    const isRestored = event.position < this.handledThrough;
    const deletions = [event, ...(isRestored ? [] : await this.laterDeletions(event))];
    const last = deletions.at(-1) ?? event;
    await models.pass({ position: last.position, types: [MessageDeleted.type] });
    await this.eraseUnlessOnHold(
      deletions.map((one) => ({ messageId: messageIdOf(one), position: one.position })),
      event,
    );
    for (const { id } of deletions) this.handled.set(id, true);
    this.handledThrough = Math.max(this.handledThrough, last.position);
  }

  /**
   * Messages under another hold remain deferred. A message that was deferred after the lifting, because a later hold keeps it, is
   * evaluated at its deferral: at the lifting, that hold does not stand yet. After a crash the rest is found again, because it is not yet
   * recorded as erased.
   */
  private async eraseDeferred(event: RecordedEvent): Promise<void> {
    const { eraser } = this.options;
    const waiting = await eraser.deferredMessages();
    for (let from = 0; from < waiting.length; from += AT_ONCE) {
      const messages = waiting.slice(from, from + AT_ONCE);
      await this.eraseUnlessOnHold(
        messages.map(({ messageId, position }) => ({
          messageId,
          position: Math.max(position, event.position),
        })),
        event,
      );
    }
  }

  private async eraseUnlessOnHold(messages: readonly DeletedMessage[], cause: RecordedEvent): Promise<void> {
    const { eraser } = this.options;
    const kept = await this.onHold(messages);
    const keptIds = new Set(kept.map(({ messageId }) => messageId));
    await eraser.deferMessages(kept, cause);
    const free = messages.filter(({ messageId }) => !keptIds.has(messageId));
    if (free.length > 0) await eraser.eraseMessages(free, cause);
  }

  private async onHold(messages: readonly DeletedMessage[]): Promise<readonly DeferredMessage[]> {
    const { legalHolds, traces } = this.options;
    const limit = pLimit(CONCURRENT_CHECKS);
    const kept = await Promise.all(
      messages.map(({ messageId, position }) =>
        limit(async (): Promise<DeferredMessage | null> => {
          if (!(await legalHolds.anyAt(position))) return null;
          const [found] = await traces.of([messageId]);
          if (found === undefined) return null;
          const caseIds = await legalHolds.casesOfMessage({
            stored: [found.sent, ...found.changes],
            position,
          });
          return caseIds.length === 0 ? null : { messageId, caseIds };
        }),
      ),
    );
    return kept.filter((one) => one !== null);
  }

  /**
   * Further deletions that are already in the log, up to the next change of a hold: erasing many messages at once costs little more than
   * erasing one, and what is deleted after that change is decided after it is handled.
   */
  private async laterDeletions({ position }: RecordedEvent): Promise<readonly PersistedEvent[]> {
    const { store } = this.options.log;
    const types = [MessageDeleted.type, CaseHoldPlaced.type, CaseHoldLifted.type];
    for await (const { events } of store.readAll({ after: position, types, pageSize: AT_ONCE - 1 })) {
      const end = events.findIndex(({ type }) => type !== MessageDeleted.type);
      return end < 0 ? events : events.slice(0, end);
    }
    return [];
  }
}

function messageIdOf({ data }: Pick<PersistedEvent | RecordedEvent, 'data'>): number {
  return (data as { readonly messageId: number }).messageId;
}
