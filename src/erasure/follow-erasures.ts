import type { Logger } from '../../projections/engine/logger.js';
import { Backoff, pause } from '../../projections/engine/pause.js';
import type { EventLog } from '../event-store/event-log.js';
import type { EventOf, RecordedEvent } from '../kernel/event.js';
import { MessageErased, PersonErased } from './events.js';
import type { HeldTexts } from './held-texts.js';

type Erased = RecordedEvent<EventOf<typeof MessageErased> | EventOf<typeof PersonErased>>;

const RETRY = { first: 50, most: 2_000 };

/** What a {@link FollowErasures} works with. */
export interface FollowErasuresOptions {
  readonly log: EventLog;
  readonly held: HeldTexts;
  readonly logger: Logger;
}

/** Lets this process forget what was erased, by whichever process: as soon as it reads of it in the log. */
export class FollowErasures {
  private readonly stopping = new AbortController();
  private following: Promise<void> = Promise.resolve();

  constructor(private readonly options: FollowErasuresOptions) {}

  /** From the present end of the log on: what was erased before, this process never held. */
  async start(): Promise<void> {
    this.following = this.follow(await this.options.log.store.head());
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
          this.forget(events as unknown as readonly Erased[]);
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

  private forget(events: readonly Erased[]): void {
    const { held } = this.options;
    const messageIds = events.flatMap(({ type, data }) =>
      type === MessageErased.type ? data.messageId : [],
    );
    if (messageIds.length > 0) held.forgetMessages(messageIds);
    if (events.some(({ type }) => type === PersonErased.type)) held.forgetPeople();
  }
}
