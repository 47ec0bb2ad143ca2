import type { FoldedStreams } from '../event-store/folded-streams.js';
import { commandIdOf } from '../event-store/event-id.js';
import type { EventLog } from '../event-store/event-log.js';
import type { EventMetadata } from '../kernel/event.js';
import type { Fold } from '../kernel/decider.js';
import { handle } from '../kernel/handle.js';
import { ownerKeyId } from '../key-store/owner-keys.js';
import type { Vault } from '../key-store/vault.js';
import type { MessageReader } from '../messages/message-reader.js';
import { messagesStream } from '../messages/message.js';
import type { EventQueues } from '../realtime/queues/event-queues.js';
import type { SystemClock } from '../system-clock.js';
import { erasuresStream, MessageErased, PersonErased, type ErasureEvent } from './events.js';

/** What is kept of read models beside those that serve, and in their files. */
export interface ModelCopies {
  /** Removes the versions of every model that do not serve: they go on holding what was erased. */
  dropOthers(): Promise<void>;
  /** Rebuilds every model from the log. */
  rebuildAll(): Promise<void>;
  /** Overwrites what was deleted in the files of the models. */
  scrub(): Promise<void>;
  /** Loads what is in memory of them again. */
  reload(): Promise<void>;
}

/** What {@link Erasing} works with. */
export interface ErasingOptions {
  readonly log: EventLog;
  readonly streams: FoldedStreams;
  readonly vault: Vault;
  readonly messages: MessageReader;
  readonly queues: EventQueues;
  readonly copies: ModelCopies;
  readonly clock: SystemClock;
}

/** Nothing has to be known of what was erased before: doing it again changes nothing. */
const noState: Fold<null, never> = { initial: null, evolve: () => null };

/**
 * Makes what people wrote unreadable for good: destroys keys, and then whatever else still holds what they guarded, in the read
 * models, in their files, and in the memory of this process. All of it may be done any number of times.
 */
export class Erasing {
  constructor(private readonly options: ErasingOptions) {}

  /**
   * Erases a message that was deleted: read models do not hold it any more.
   *
   * @param cause the event that deleted it
   */
  async message(messageId: number, cause: { readonly id: string; readonly at: number }): Promise<void> {
    const { log, vault, streams, messages, queues, copies } = this.options;
    const [sent] = await log.store.readStream(messagesStream, { from: messageId - 1, limit: 1 });
    if (sent?.revision !== messageId - 1) return;
    await vault.destroy([sent.id]);
    streams.clear();
    messages.forgetTexts();
    queues.forgetMessage(messageId);
    await copies.dropOthers();
    await copies.scrub();
    await this.record(
      { type: MessageErased.type, data: { messageId, key: sent.id } },
      {
        commandId: commandIdOf(['erase-messages', cause.id]),
        causationId: cause.id,
        at: cause.at,
        actorId: null,
      },
    );
  }

  /** Erases who a person was and what they wrote: every read model is built anew, from a log that does not tell it any more. */
  async person(userId: number): Promise<void> {
    const { vault, streams, messages, queues, copies, clock } = this.options;
    await vault.destroy([ownerKeyId(userId)]);
    await this.record(
      { type: PersonErased.type, data: { userId } },
      {
        commandId: commandIdOf(['erase-person', String(userId)]),
        causationId: null,
        at: clock.now(),
        actorId: null,
      },
    );
    await copies.rebuildAll();
    await copies.dropOthers();
    await copies.scrub();
    await copies.reload();
    streams.clear();
    messages.forgetTexts();
    queues.endAll();
  }

  private async record(event: ErasureEvent, metadata: Omit<EventMetadata, 'client'>): Promise<void> {
    await handle(this.options.streams, {
      stream: erasuresStream,
      fold: noState,
      decide: () => [event],
      metadata: { ...metadata, client: 'palimpsest' },
    });
  }
}
