import type { Reactor } from '../../projections/engine/reactor.js';
import type { DirectoryFollower } from '../access/directory-follower.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import { keyIdOf } from '../stores/event-store/event-reading.js';
import { eventsOfStream } from '../stores/event-store/stream-pages.js';
import {
  DraftDeleted,
  DraftsDiscarded,
  ReminderCancelled,
  ScheduledMessageCancelled,
} from '../events/personal.js';
import { SavedSnippetDeleted } from '../events/saved-snippets.js';
import { UploadDeleted } from '../events/uploads.js';
import type { RecordedEvent } from '../kernel/event.js';
import { handlers, on } from '../kernel/on.js';
import { revisionOfId } from '../kernel/ids.js';
import type { Vault } from '../stores/key-store/vault.js';
import type { ErasableModels } from './erasable-models.js';
import { erasesWhatIsDeleted } from './policy.js';

/** What {@link EraseBelongings} works with. */
export interface EraseBelongingsOptions {
  readonly log: EventLog;
  readonly vault: Pick<Vault, 'destroy'>;
  readonly follower: DirectoryFollower;
  readonly models: ErasableModels;
}

/**
 * Where the organization wants deleted messages erased, erases also what people throw away of their own: a draft says what the
 * message said that came of it. Doing it again changes nothing, so that no record of it is needed.
 */
export class EraseBelongings implements Reactor {
  readonly name = 'erase-belongings';
  readonly on = handlers(
    on([DraftDeleted, DraftsDiscarded], (event) => this.erase(event, 'draftId')),
    on(ReminderCancelled, (event) => this.erase(event, 'reminderId')),
    on(ScheduledMessageCancelled, (event) => this.erase(event, 'scheduledId')),
    on(SavedSnippetDeleted, (event) => this.erase(event, 'snippetId')),
    on(UploadDeleted, (event) => this.erase(event, 'uploadId')),
  );

  constructor(private readonly options: EraseBelongingsOptions) {}

  /** @param name the field by which the events about one belonging name it */
  private async erase(event: RecordedEvent, name: string): Promise<void> {
    const { vault, follower, models } = this.options;
    if (!erasesWhatIsDeleted(follower)) return;
    const data = event.data as Readonly<Record<string, unknown>>;
    // Several go at once by an event that lists them.
    const ids = (data[`${name}s`] ?? [data[name]]) as readonly number[];
    const keys = await Promise.all(ids.map((id) => this.keysOf(event, name, id)));
    await vault.destroy(keys.flat());
    await models.pass({ position: event.position, types: [event.type] });
    await models.dropOthers();
    await models.scrub();
  }

  /** An id says where in the stream the first event about it stands. */
  private async keysOf({ stream, revision }: RecordedEvent, name: string, id: number): Promise<string[]> {
    const keys: string[] = [];
    for await (const event of eventsOfStream(this.options.log.store, stream, revisionOfId(id))) {
      if (event.revision >= revision) break;
      const key = keyIdOf(event);
      if (event.data[name] === id && key !== null) keys.push(key);
    }
    return keys;
  }
}
