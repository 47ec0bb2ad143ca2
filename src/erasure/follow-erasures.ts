import type { Logger } from '../../projections/engine/logger.js';
import { keepFollowing } from '../../projections/engine/keep-following.js';
import type { EventLog, RecordedPage } from '../stores/event-store/event-log.js';
import { isEvent, type RecordedEvent } from '../kernel/event.js';
import { MessageErased, PersonErased } from '../events/erasure.js';
import type { CachedTexts } from './cached-texts.js';
import type { SentEmails } from './sent-emails.js';

/** What {@link FollowErasures} needs. */
interface FollowErasuresOptions {
  readonly log: EventLog;
  readonly cachedTexts: CachedTexts;
  readonly emails: SentEmails;
  readonly logger: Logger;
}

/** Removes erased content from this process, whichever process erased it, when the erasure is read from the log. */
export class FollowErasures {
  private readonly stopping = new AbortController();
  private following: Promise<void> = Promise.resolve();

  constructor(private readonly options: FollowErasuresOptions) {}

  /** Starts at the end of the log: of earlier erasures, this process can only have kept e-mails. */
  async start(): Promise<void> {
    this.following = this.follow(await this.options.log.store.head());
    await this.options.emails.forgetErased();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.following;
  }

  private async follow(from: number | null): Promise<void> {
    const { log, logger } = this.options;
    const { signal } = this.stopping;
    const types = [MessageErased.type, PersonErased.type];
    let after = from;
    await keepFollowing<RecordedPage>(
      {
        open: () => log.follow({ after, types, signal }),
        take: async ({ events, position }) => {
          await this.forget(events);
          after = position;
        },
        onFailure: (error) => logger.error({ err: error }, 'Erasures cannot be followed; trying again'),
      },
      signal,
    );
  }

  private async forget(events: readonly RecordedEvent[]): Promise<void> {
    const { cachedTexts } = this.options;
    const messageIds: number[] = [];
    const userIds: number[] = [];
    let erased = -1;
    for (const event of events) {
      if (isEvent(event, MessageErased)) messageIds.push(event.data.messageId);
      if (isEvent(event, PersonErased)) {
        userIds.push(event.data.userId);
        erased = event.position;
      }
    }
    if (messageIds.length > 0) await cachedTexts.forgetMessages(messageIds);
    if (userIds.length > 0) await cachedTexts.forgetPeople(userIds, erased);
  }
}
