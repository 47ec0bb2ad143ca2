import { Injectable } from '@nestjs/common';
import type { Actor } from '../../access/actor.js';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import type { Caller } from '../../http/caller.js';
import { Decisions } from '../../http/decisions.js';
import { failure } from '../../kernel/errors.js';
import type { Recorded, RecordedEvent } from '../../kernel/event.js';
import { revisionOfId } from '../../kernel/ids.js';
import { type MessageSent, MESSAGES_STREAM } from '../../events/messages.js';
import { recipientOf, type MessageDocument } from './message-document.js';
import { deletionStateOf, messageOf, type Message, type MessageChange } from './message.state.js';
import { MessageReader } from './message-reader.js';
import type { QuerySession } from './query-session.js';

/**
 * A message that somebody can see: where it lies, and the query session by whose snapshot decisions about it
 * are made.
 */
export interface VisibleMessage {
  readonly session: QuerySession;
  readonly place: MessageDocument;
}

/** The actor of decisions about a message, by the snapshot of its query session. */
function actorOf({ session }: VisibleMessage): Actor {
  const { snapshot, user } = session.context;
  return { snapshot, user };
}

/** Decides about existing messages, each on its own stream. */
@Injectable()
export class MessageDecisions {
  constructor(
    private readonly messages: MessageReader,
    private readonly log: EventLog,
    private readonly decisions: Decisions,
  ) {}

  /**
   * Where a message lies, for somebody who can see it.
   *
   * @throws ApplicationError `invalidMessage`, the same for a message that does not exist, one that the
   * caller cannot see and one in an archived channel
   */
  async findVisible(caller: Caller, messageId: number): Promise<VisibleMessage> {
    const session = await this.messages.open(caller);
    const { directory } = session.context.snapshot;
    const place = await session.locate(messageId);
    if (place === null) throw failure('invalidMessage');
    if (place.channelId !== null && directory.channel(place.channelId)?.isArchived !== false) {
      throw failure('invalidMessage');
    }
    return { session, place };
  }

  /**
   * Appends the events that a decider returns for a message, and returns its result. The decider gets the
   * message folded from its own stream, but with its present recipient.
   *
   * @throws ApplicationError what the decider throws
   */
  async decide(
    { client }: Caller,
    placed: VisibleMessage,
    decide: (message: Message, actor: Actor) => readonly MessageChange[],
  ): Promise<readonly RecordedEvent<MessageChange>[]> {
    const actor = actorOf(placed);
    const metadata = requestMetadata({ userId: actor.user.id, client }, actor.snapshot.now);
    const recipient = recipientOf(placed.place);
    const { events } = await this.decisions.decideAs(metadata, this.streamOf(placed), (message) =>
      decide({ ...message, recipient }, actor),
    );
    return events;
  }

  /** The present state of the message, for a decision whose events are appended to another stream. */
  async load(placed: VisibleMessage): Promise<Message> {
    const message = await this.decisions.load(this.streamOf(placed));
    return { ...message, recipient: recipientOf(placed.place) };
  }

  /** Whether the message has been deleted by now. */
  isDeleted({ place }: VisibleMessage): Promise<boolean> {
    return this.decisions.load(deletionStateOf(place._id));
  }

  private streamOf({ place: { _id: id } }: VisibleMessage): ReturnType<typeof messageOf> {
    return messageOf(id, () => this.sendingOf(id));
  }

  private async sendingOf(messageId: number): Promise<Recorded<typeof MessageSent>> {
    const from = revisionOfId(messageId);
    const [event] = await this.log.readStream(MESSAGES_STREAM, { from, limit: 1 });
    if (event?.revision !== from) throw failure('invalidMessage');
    return event as Recorded<typeof MessageSent>;
  }
}
