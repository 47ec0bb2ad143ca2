import type { Reactor } from '../../projections/engine/reactor.js';
import type { DirectoryFollower } from '../directory/directory-follower.js';
import type { EventLog } from '../event-store/event-log.js';
import type { RecordedEvent } from '../kernel/event.js';
import { revisionOfId } from '../kernel/ids.js';
import type { Vault } from '../key-store/vault.js';
import type { ErasableModels } from './erasing.js';

/** What {@link EraseBelongings} works with. */
export interface EraseBelongingsOptions {
  readonly log: EventLog;
  readonly vault: Pick<Vault, 'destroy'>;
  readonly follower: DirectoryFollower;
  readonly models: ErasableModels;
}

/** By what the events about one belonging name it, by the event with which it goes. */
const names = {
  DraftDeleted: 'draftId',
  DraftsDiscarded: 'draftId',
  ReminderCancelled: 'reminderId',
  ScheduledMessageCancelled: 'scheduledId',
  SavedSnippetDeleted: 'snippetId',
  UploadDeleted: 'uploadId',
} as const;

/** Events that are read at once. */
const pageSize = 500;

/**
 * Where the organization wants deleted messages erased, erases also what people throw away of their own: a draft says what the
 * message said that came of it. Doing it again changes nothing, so that no record of it is needed.
 */
export class EraseBelongings implements Reactor {
  readonly name = 'erase-belongings';
  readonly on = Object.fromEntries(
    Object.entries(names).map(([type, name]) => [type, (event: RecordedEvent) => this.erase(event, name)]),
  );

  constructor(private readonly options: EraseBelongingsOptions) {}

  private async erase(event: RecordedEvent, name: string): Promise<void> {
    const { vault, follower, models } = this.options;
    if (follower.current().organization?.settings.message_erasure_policy !== 'erase') return;
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
    for (let from = revisionOfId(id); from < revision; from += pageSize) {
      const page = await this.options.log.store.readStream(stream, { from, limit: pageSize });
      for (const { data, metadata } of page) {
        if (data[name] === id && typeof metadata['key'] === 'string') keys.push(metadata['key']);
      }
    }
    return keys;
  }
}
