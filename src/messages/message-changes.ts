import { Injectable } from '@nestjs/common';
import type { Moment } from '../directory/moment.js';
import { randomCommandId } from '../event-store/event-id.js';
import { EventLog } from '../event-store/event-log.js';
import { FoldedStreams } from '../event-store/folded-streams.js';
import type { Caller } from '../http/caller.js';
import { failure } from '../kernel/errors.js';
import type { EventOf, RecordedEvent } from '../kernel/event.js';
import { handle } from '../kernel/handle.js';
import { revisionOfId } from '../kernel/ids.js';
import type { User } from '../users/user.js';
import type { MessageSent } from './events.js';
import { messageFold, messagesStream, messageStream, type Message, type MessageChange } from './message.js';
import { MessageReader } from './message-reader.js';

/** What a decision about a message depends on beside the message. */
export interface ChangeFacts {
  readonly moment: Moment;
  readonly actor: User;
  /** How many people wrote in the topic; 0 where the new text mentions no topic as a whole. */
  readonly topicParticipants: number;
}

/** A rule for what becomes of a message. */
export type DecideChange = (message: Message, facts: ChangeFacts) => readonly MessageChange[];

/** Which message a rule is about, and the text that it shall get, if any. */
export interface ChangeTarget {
  readonly messageId: number;
  readonly newText?: string | undefined;
}

/** Decides about messages that were sent before, each on the events of its own stream. */
@Injectable()
export class MessageChanges {
  constructor(
    private readonly messages: MessageReader,
    private readonly log: EventLog,
    private readonly streams: FoldedStreams,
  ) {}

  /**
   * Appends what a rule makes of a message that the caller can see.
   *
   * @throws ApplicationError `invalidMessage`, alike for a message that does not exist, one that the caller cannot see and
   * one in an archived channel; and whatever the rule refuses with
   */
  async apply(
    caller: Caller,
    { messageId, newText = '' }: ChangeTarget,
    decide: DecideChange,
  ): Promise<void> {
    const place = await this.placeFor(caller, messageId);
    const sending = await this.sendingOf(messageId);
    const topicParticipants = await this.messages.countParticipants(sending.data.recipient, newText);
    const facts = { ...place, topicParticipants };
    await handle(this.streams, {
      stream: messageStream(messageId),
      fold: messageFold(sending),
      decide: (message) => decide(message, facts),
      metadata: {
        actorId: caller.userId,
        commandId: randomCommandId(),
        causationId: null,
        client: caller.client,
        at: facts.moment.now,
      },
    });
  }

  private async placeFor(caller: Caller, messageId: number): Promise<Omit<ChangeFacts, 'topicParticipants'>> {
    const reading = await this.messages.open(caller);
    const { moment, user: actor } = reading.context;
    const place = await reading.locate(messageId);
    if (place === null) throw failure('invalidMessage');
    if (place.channelId !== null && moment.directory.channel(place.channelId)?.isArchived !== false) {
      throw failure('invalidMessage');
    }
    return { moment, actor };
  }

  private async sendingOf(messageId: number): Promise<RecordedEvent<EventOf<typeof MessageSent>>> {
    const from = revisionOfId(messageId);
    const [event] = await this.log.readStream(messagesStream, { from, limit: 1 });
    if (event?.revision !== from) throw failure('invalidMessage');
    return event as RecordedEvent<EventOf<typeof MessageSent>>;
  }
}
