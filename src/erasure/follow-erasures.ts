import type { Logger } from '../../projections/engine/logger.js';
import { Backoff, pause } from '../../projections/engine/pause.js';
import type { EventLog } from '../event-store/event-log.js';
import type { EventOf, RecordedEvent } from '../kernel/event.js';
import { MessageErased, PersonErased } from './events.js';
import type { HeldTexts } from './held-texts.js';
import type { SentLetters } from './sent-letters.js';

type Erased = RecordedEvent<EventOf<typeof MessageErased> | EventOf<typeof PersonErased>>;

const RETRY = { first: 50, most: 2_000 };

/** What a {@link FollowErasures} works with. */
export interface FollowErasuresOptions {
  readonly log: EventLog;
  readonly held: HeldTexts;
  readonly letters: SentLetters;
  readonly logger: Logger;
}

/** Lets this process forget what was erased, by whichever process: as soon as it reads of it in the log. */
export class FollowErasures {
  private readonly stopping = new AbortController();
  private following: Promise<void> = Promise.resolve();

  constructor(private readonly options: FollowErasuresOptions) {}

  /** From the present end of the log on: of what was erased before, this process holds letters at most. */
  async start(): Promise<void> {
    this.following = this.follow(await this.options.log.store.head());
    await this.options.letters.forgetErased();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.following;
  }

  private async follow(from: number | null): Promise<void> {
    const { log, logger } = this.options;
    const { signal } = this.stopping;
    const backoff = new Backoff(RETRY);
    let after = from;
    while (!signal.aborted) {
      try {
        const types = [MessageErased.type, PersonErased.type];
        for await (const { events, position } of log.follow({ after, types, signal })) {
          await this.forget(events as unknown as readonly Erased[]);
          after = position;
          backoff.reset();
        }
        if (!signal.aborted) throw new Error('The log was closed while it was followed');
      } catch (error) {
        logger.error({ err: error }, 'Erasures cannot be followed; trying again');
        await pause(backoff.next(), signal);
      }
    }
  }

  private async forget(events: readonly Erased[]): Promise<void> {
    const { held } = this.options;
    const messageIds: number[] = [];
    const userIds: number[] = [];
    for (const { type, data } of events) {
      if (type === MessageErased.type) messageIds.push(data.messageId);
      else userIds.push(data.userId);
    }
    if (messageIds.length > 0) await held.forgetMessages(messageIds);
    if (userIds.length > 0) await held.forgetPeople(userIds);
  }
}
