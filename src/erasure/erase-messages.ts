import type { Reactor } from '../../projections/engine/reactor.js';
import type { DirectoryFollower } from '../access/directory-follower.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import type { PersistedEvent } from '../stores/event-store/port.js';
import type { RecordedEvent } from '../kernel/event.js';
import { on } from '../kernel/on.js';
import { MessageDeleted } from '../events/messages.js';
import type { ErasableModels } from './erasable-models.js';
import type { Erasing } from './erasing.js';
import { erasesWhatIsDeleted } from './policy.js';

/** What {@link EraseMessages} works with. */
export interface EraseMessagesOptions {
  readonly erasing: Erasing;
  readonly log: EventLog;
  readonly follower: DirectoryFollower;
  readonly models: Pick<ErasableModels, 'pass'>;
}

/** So many messages are erased at once, where many are deleted (a topic, or what has expired). */
const atOnce = 500;

/** Where the organization wants deleted messages erased, erases them; replies wait for it. */
export class EraseMessages implements Reactor {
  readonly name = 'erase-messages';
  readonly on = on(MessageDeleted, (event) => this.erase(event));

  /** Position of the last deletion that was acted on, ahead of its turn. */
  private erasedThrough = -1;

  constructor(private readonly options: EraseMessagesOptions) {}

  private async erase(event: RecordedEvent): Promise<void> {
    const { erasing, follower, models } = this.options;
    if (event.position <= this.erasedThrough) return;
    if (!erasesWhatIsDeleted(follower)) return;
    const deletions = [event, ...(await this.deletionsBehind(event))];
    const last = deletions.at(-1) ?? event;
    await models.pass({ position: last.position, types: [MessageDeleted.type] });
    await erasing.messages(deletions.map(messageIdOf), event);
    this.erasedThrough = last.position;
  }

  /** Those that are in the log already: erasing many costs little more than erasing one. */
  private async deletionsBehind({ position }: RecordedEvent): Promise<readonly PersistedEvent[]> {
    const { store } = this.options.log;
    const part = { after: position, types: [MessageDeleted.type], pageSize: atOnce - 1 };
    for await (const { events } of store.readAll(part)) return events;
    return [];
  }
}

function messageIdOf({ data }: Pick<PersistedEvent | RecordedEvent, 'data'>): number {
  return (data as { readonly messageId: number }).messageId;
}
