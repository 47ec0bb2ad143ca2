import { SEALS_STREAM } from '../../events/audit.js';
import { MailAbandoned, NOT_WANTED } from '../../events/mail.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { EventStore } from '../../stores/event-store/port.js';
import { decodeReadable, isReadable } from '../../stores/event-store/readable-events.js';

/** How many seals are read at once to find the last one before a time. */
const SEALS = 100;

/** Counts the e-mails that were given up lately by whichever process. It reads each part of the log once. */
export class FailedMails {
  private moments: readonly number[] = [];
  /** Everything up to this position was read; undefined: nothing was. */
  private position: number | null | undefined;
  private reading: Promise<void> = Promise.resolve();

  constructor(private readonly log: EventLog) {}

  /** @param since in milliseconds since the UNIX epoch; never earlier than in former calls */
  async countSince(since: number): Promise<number> {
    // One reading at a time, so that no event is counted twice.
    const reading = this.reading.then(() => this.read(since));
    this.reading = reading.catch(() => undefined);
    await reading;
    this.moments = this.moments.filter((moment) => moment >= since);
    return this.moments.length;
  }

  private async read(since: number): Promise<void> {
    const { store } = this.log;
    this.position ??= await sealedBefore(store, since);
    const pages = store.readAll({ after: this.position, types: [MailAbandoned.type] });
    for await (const { events, position } of pages) {
      const readable = (await decodeReadable(this.log, events)).filter(isReadable);
      const moments = readable.filter(isGivenUp).map(({ metadata }) => metadata.at);
      this.moments = [...this.moments, ...moments];
      this.position = position;
    }
  }
}

/** Whether an e-mail failed for good; one that is not wanted any more did not fail. */
function isGivenUp(event: RecordedEvent): boolean {
  return isEvent(event, MailAbandoned) && event.data.reason !== NOT_WANTED;
}

/** Position of the last seal before a time; null: there is none. */
async function sealedBefore(store: Pick<EventStore, 'readStream'>, time: number): Promise<number | null> {
  for (let from: number | undefined; ;) {
    const page = { direction: 'backwards', limit: SEALS, ...(from !== undefined && { from }) } as const;
    const seals = await store.readStream(SEALS_STREAM, page);
    const found = seals.find(({ metadata }) => Number(metadata['at']) < time);
    if (found !== undefined) return found.position;
    const oldest = seals.at(-1);
    if (oldest === undefined || oldest.revision === 0) return null;
    from = oldest.revision - 1;
  }
}
