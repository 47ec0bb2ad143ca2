import { isFailedMail, MailAbandoned } from '../../events/mail.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import { decodeReadable, isReadable } from '../../stores/event-store/readable-events.js';
import { sealBeforeTime } from '../../stores/event-store/seals.js';

/** Counts the e-mails that were given up lately by whichever process. It reads no part of the log twice. */
export class FailedMails {
  private moments: readonly number[] = [];
  /** Everything up to this position was read, or is too old to count; null: nothing. */
  private position: number | null = null;
  /** When the log was read last, in milliseconds since the UNIX epoch. */
  private readAt = -Infinity;
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
    const now = Date.now();
    if (this.readAt < since) await this.skipTo(since);
    const pages = store.readAll({ after: this.position, types: [MailAbandoned.type] });
    for await (const { events, position } of pages) {
      const readable = (await decodeReadable(this.log, events)).filter(isReadable);
      const moments = readable.filter(isFailedMail).map(({ metadata }) => metadata.at);
      this.moments = [...this.moments, ...moments];
      this.position = position;
    }
    this.readAt = now;
  }

  /** After a pause, what was appended before a time need not be read. */
  private async skipTo(time: number): Promise<void> {
    const sealed = await sealBeforeTime(this.log.store, time);
    if (sealed !== null && sealed > (this.position ?? -1)) this.position = sealed;
  }
}
