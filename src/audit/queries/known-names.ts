import pLimit from 'p-limit';
import { UPLOADS_STREAM } from '../../contexts/uploads/uploads.state.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { revisionOfId } from '../../kernel/ids.js';
import type { QueryDeadline } from '../../reader-threads/query-deadline.js';
import { Injectable } from '../../runtime/nest-decorators.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import {
  decodeReadable,
  isReadable,
  type UnreadableEvent,
} from '../../stores/event-store/readable-events.js';
import { NameHistory, namingEventTypes } from '../sentences/name-history.js';
import { sentencesOf, type MovedCount } from '../sentences/sentence-of.js';

/** An event of the log, for a move with the number of messages if that is known. */
type CountedEvent = (RecordedEvent | UnreadableEvent) & MovedCount;

/** An event of the log, with a sentence about it; null: it cannot be read. */
export type DescribedEvent = CountedEvent & { readonly sentence: string | null };

/** Names of files are not kept, because there are many files and few sentences name one; they are read when needed. */
const heldTypes = namingEventTypes.filter((type) => type !== 'FileUploaded');

/** The name history in the memory of this process. Each request first reads the new events of the log. */
@Injectable()
export class KnownNames {
  private history = new NameHistory();
  /** The position up to which names were read; null: none. */
  private after: number | null = null;
  private readonly oneAtATime = pLimit(1);

  constructor(private readonly log: EventLog) {}

  /**
   * Adds a sentence to each event, with the names of that time, like `palimpsest audit log`.
   *
   * @throws the error of the deadline; the names read until then are kept
   */
  async describe(
    events: readonly CountedEvent[],
    deadline: QueryDeadline,
  ): Promise<readonly DescribedEvent[]> {
    const sentences = await this.sentencesOf(events, deadline);
    return events.map((event, index) => ({ ...event, sentence: sentences[index]! }));
  }

  /** The sentences alone, in the order of the events. @throws like {@link describe} */
  async sentencesOf(
    events: readonly CountedEvent[],
    deadline: QueryDeadline,
  ): Promise<readonly (string | null)[]> {
    await this.lookup(deadline);
    const files = await this.filesNamedIn(events);
    const names: Pick<NameHistory, 'nameAt'> = {
      nameAt: (kind, id, position) => (kind === 'file' ? files : this.history).nameAt(kind, id, position),
    };
    return sentencesOf(events, names);
  }

  /** The names of everything except files at any position. @throws like {@link describe} */
  async lookup(deadline: QueryDeadline): Promise<Pick<NameHistory, 'nameAt'>> {
    await this.oneAtATime(() => this.learn(deadline));
    return this.history;
  }

  /** Forgets every name, because a person was erased. */
  forget(): void {
    this.history = new NameHistory();
    this.after = null;
  }

  private async learn(deadline: QueryDeadline): Promise<void> {
    const { history } = this;
    for await (const page of this.log.store.readAll({ after: this.after, types: heldTypes })) {
      for (const event of await decodeReadable(this.log, page.events)) {
        if (isReadable(event)) history.learn(event);
      }
      // The names were forgotten meanwhile, so start from the beginning.
      if (this.history !== history) return this.learn(deadline);
      this.after = page.position;
      deadline.throwIfOver();
    }
  }

  private async filesNamedIn(events: readonly (RecordedEvent | UnreadableEvent)[]): Promise<NameHistory> {
    const files = new NameHistory();
    for (const event of events) {
      if (!isReadable(event) || event.stream !== UPLOADS_STREAM) continue;
      const { uploadId } = event.data as { readonly uploadId: number };
      const stored = await this.log.store.readStream(UPLOADS_STREAM, {
        from: revisionOfId(uploadId),
        limit: 1,
      });
      for (const uploaded of await decodeReadable(this.log, stored)) {
        if (isReadable(uploaded)) files.learn(uploaded);
      }
    }
    return files;
  }
}
