import { Injectable } from '@nestjs/common';
import type { Moment } from '../../access/moment.js';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import type { Recorded, RecordedEvent } from '../../kernel/event.js';
import { handle } from '../../kernel/handle.js';
import { revisionOfId } from '../../kernel/ids.js';
import type { User } from '../../access/records/user.js';
import { type MessageSent, messagesStream, messageStream } from '../../events/messages.js';
import { recipientOf, type MessageDocument } from './message-document.js';
import { messageFold, type Message, type MessageChange } from './message.js';
import { MessageReader } from './message-reader.js';
import type { Reading } from './reading.js';
import type { Knows } from '../users/known-people.js';
import { UploadAccess } from './upload-access.js';

/** What a decision about a message depends on beside the message. */
export interface ChangeFacts {
  readonly moment: Moment;
  readonly actor: User;
  /** Where the message lies now. */
  readonly place: MessageDocument;
  /** Who wrote or reacted in the topic so far; nobody where the new text mentions no topic as a whole. */
  readonly topicParticipantIds: readonly number[];
  /** What the new text names of uploads: see `Writing`. */
  readonly uploads: ReadonlyMap<string, number>;
  readonly topicMessages: ReadonlyMap<string, number>;
  /** Whom the actor may know. */
  readonly knows: Knows;
}

/** Where a message lies that somebody can see, and what they see it by. */
export interface PlacedMessage {
  readonly reading: Reading;
  readonly place: MessageDocument;
}

/** A message that somebody can see, for a decision about it. */
export interface FoundMessage extends PlacedMessage {
  /** As its own events tell it, but with the recipient that it has now. */
  readonly message: Message;
}

/** A rule for what becomes of a message. */
export type DecideChange = (message: Message, facts: ChangeFacts) => readonly MessageChange[];

/** Which message a rule is about, and the text that it shall get, if any. */
export interface ChangeTarget {
  readonly messageId: number;
  readonly newText?: string | undefined;
  /** What {@link MessageChanges.place} answered, where it was asked already; absent: it is looked up. */
  readonly placed?: PlacedMessage | undefined;
}

/** Decides about messages that were sent before, each on the events of its own stream. */
@Injectable()
export class MessageChanges {
  constructor(
    private readonly messages: MessageReader,
    private readonly log: EventLog,
    private readonly streams: FoldedStreams,
    private readonly uploadAccess: UploadAccess,
  ) {}

  /**
   * Appends what a rule makes of a message that the caller can see, and answers it.
   *
   * @throws ApplicationError `invalidMessage`, alike for a message that does not exist, one that the caller cannot see and
   * one in an archived channel; and whatever the rule refuses with
   */
  async apply(
    caller: Caller,
    { messageId, newText = '', placed }: ChangeTarget,
    decide: DecideChange,
  ): Promise<readonly RecordedEvent<MessageChange>[]> {
    const { reading, place } = placed ?? (await this.place(caller, messageId));
    const sending = await this.sendingOf(messageId);
    const recipient = recipientOf(place);
    const [topicParticipantIds, uploads, topicMessages] = await Promise.all([
      this.messages.participantsIn(recipient, newText),
      this.uploadAccess.namedIn(newText, caller.userId),
      this.messages.linkedTopics(newText, caller),
    ]);
    const { moment, user: actor, knows } = reading.context;
    const facts = { moment, actor, place, topicParticipantIds, uploads, topicMessages, knows };
    const appended = await handle(this.streams, {
      stream: messageStream(messageId),
      fold: messageFold(sending),
      decide: (message) => decide({ ...message, recipient }, facts),
      metadata: requestMetadata(caller, moment.now),
    });
    return appended?.events ?? [];
  }

  /**
   * The message as it is now, for a decision whose events stand elsewhere.
   *
   * @throws ApplicationError `invalidMessage` as {@link apply} does
   */
  async find(caller: Caller, messageId: number): Promise<FoundMessage> {
    const { reading, place } = await this.place(caller, messageId);
    const sending = await this.sendingOf(messageId);
    const { state } = await this.streams.load({
      stream: messageStream(messageId),
      fold: messageFold(sending),
    });
    return { reading, place, message: { ...state, recipient: recipientOf(place) } };
  }

  /**
   * Where a message lies, for somebody who can see it.
   *
   * @throws ApplicationError `invalidMessage` as {@link apply} does
   */
  async place(caller: Caller, messageId: number): Promise<PlacedMessage> {
    const reading = await this.messages.open(caller);
    const { directory } = reading.context.moment;
    const place = await reading.locate(messageId);
    if (place === null) throw failure('invalidMessage');
    if (place.channelId !== null && directory.channel(place.channelId)?.isArchived !== false) {
      throw failure('invalidMessage');
    }
    return { reading, place };
  }

  private async sendingOf(messageId: number): Promise<Recorded<typeof MessageSent>> {
    const from = revisionOfId(messageId);
    const [event] = await this.log.readStream(messagesStream, { from, limit: 1 });
    if (event?.revision !== from) throw failure('invalidMessage');
    return event as Recorded<typeof MessageSent>;
  }
}
