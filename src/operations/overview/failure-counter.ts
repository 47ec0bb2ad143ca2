import pLimit from 'p-limit';
import { isFailedMail, MailAbandoned } from '../../events/mail.js';
import { droppedNotificationsIn, MissedMessagePushDropped } from '../../events/missed-messages.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import { decodeReadable, isReadable } from '../../stores/event-store/readable-events.js';
import { sealBeforeTime } from '../../stores/event-store/seals.js';
import type { ServerFacts } from './server-facts.js';

/** How many e-mails and notifications failed for good. */
type Failures = Pick<ServerFacts, 'mailsFailed' | 'notificationsFailed'>;

const types = [MailAbandoned.type, MissedMessagePushDropped.type];

/** Counts the e-mails and notifications that failed for good lately in whichever process. It reads no part of the log twice. */
export class FailureCounter {
  private counted: readonly (Failures & { readonly at: number })[] = [];
  /** Everything up to this position was read, or is too old to count; null: nothing. */
  private position: number | null = null;
  /** When the log was read last, in milliseconds since the UNIX epoch. */
  private readAt = -Infinity;
  /** So that no event is counted twice. */
  private readonly oneAtATime = pLimit(1);

  constructor(private readonly log: EventLog) {}

  /** @param since in milliseconds since the UNIX epoch; never earlier than in former calls */
  async countSince(since: number): Promise<Failures> {
    await this.oneAtATime(() => this.read(since));
    this.counted = this.counted.filter(({ at }) => at >= since);
    return {
      mailsFailed: this.counted.reduce((sum, { mailsFailed }) => sum + mailsFailed, 0),
      notificationsFailed: this.counted.reduce(
        (sum, { notificationsFailed }) => sum + notificationsFailed,
        0,
      ),
    };
  }

  private async read(since: number): Promise<void> {
    const { store } = this.log;
    const now = Date.now();
    if (this.readAt < since) await this.skipTo(since);
    const pages = store.readAll({ after: this.position, types });
    for await (const { events, position } of pages) {
      const readable = (await decodeReadable(this.log, events)).filter(isReadable);
      const found = readable.map((event) => ({
        at: event.metadata.at,
        mailsFailed: isFailedMail(event) ? 1 : 0,
        notificationsFailed: droppedNotificationsIn(event),
      }));
      this.counted = [...this.counted, ...found];
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
