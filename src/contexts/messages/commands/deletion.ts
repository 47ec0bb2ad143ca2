import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { hasContentAccess } from '../../../access/channel-permissions.js';
import { mayDeleteAnyMessage } from '../../../access/message-permissions.js';
import type { Channel } from '../../../access/records/channel.js';
import { isAdministrator } from '../../../access/records/roles.js';
import { normalizeTopic, topicKey } from '../../../events/values/message-text.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventMetadata } from '../../../kernel/event.js';
import { TimeSlice } from '../../../runtime/time-slice.js';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { Decisions } from '../../../http/decisions.js';
import { decideDeleteMessage } from '../deletion/deletion.decide.js';
import { MessageDecisions } from '../message-decisions.js';
import { deleteMessage, deletionFields } from '../deletion/message-deletion.js';
import type { MessageDocument } from '../message-document.js';
import { MessageReader } from '../message-reader.js';
import { noTexts } from '../narrow/compiled-narrow.js';
import { channelSources, MAX_MESSAGE_ID } from '../narrow/sources.js';
import type { QuerySession } from '../query-session.js';

/** Deletes a message (`DELETE /messages/{message_id}`). */
export class DeleteMessage extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
  ) {
    super();
  }
}

@CommandHandler(DeleteMessage)
export class DeleteMessageHandler implements ICommandHandler<DeleteMessage> {
  constructor(private readonly decisions: MessageDecisions) {}

  async execute({ caller, messageId }: DeleteMessage): Promise<void> {
    const placed = await this.decisions.findVisible(caller, messageId);
    await this.decisions.decide(caller, placed, decideDeleteMessage);
  }
}

/** How many messages one request deletes at most. */
const AT_ONCE = 1000;

/** How many messages are looked up at a time. */
const PAGE_SIZE = 100;

/** How many streams are written to before other requests get their turn. */
const STREAMS_AT_ONCE = 20;

/**
 * Deletes the messages of a topic that the caller can see, the newest first. Each message is deleted on its
 * own stream, so an interrupted request is finished by sending it again. Returns whether the whole topic is
 * deleted.
 */
export class DeleteTopic extends Command<boolean> {
  constructor(
    readonly caller: Caller,
    readonly channelId: number,
    readonly topic: string,
  ) {
    super();
  }
}

/**
 * @throws ApplicationError `administratorRequired`, `invalidChannel`; `deleteNotAllowed` when the caller may
 * not delete these messages
 */
function assertMayDeleteTopic(
  { snapshot, user }: Pick<QuerySession['context'], 'snapshot' | 'user'>,
  channel: Channel | null,
): void {
  if (!isAdministrator(user)) throw failure('administratorRequired');
  if (channel === null || channel.isArchived || !hasContentAccess(snapshot, user, channel)) {
    throw failure('invalidChannel');
  }
  if (!mayDeleteAnyMessage(snapshot, user, channel)) {
    throw failure('deleteNotAllowed');
  }
}

@CommandHandler(DeleteTopic)
export class DeleteTopicHandler implements ICommandHandler<DeleteTopic> {
  constructor(
    private readonly messages: MessageReader,
    private readonly decisions: Decisions,
  ) {}

  async execute({ caller, channelId, topic }: DeleteTopic): Promise<boolean> {
    const session = await this.messages.open(caller);
    const { snapshot } = session.context;
    assertMayDeleteTopic(session.context, snapshot.directory.channel(channelId));
    const place = { channelId, topicKey: topicKey(normalizeTopic(topic)) };
    let through = MAX_MESSAGE_ID;
    for (let deleted = 0; deleted < AT_ONCE; deleted += PAGE_SIZE) {
      const ids = await newest(session, place, through);
      const messages = await session.model
        .collection<MessageDocument>('messages')
        .find({ _id: { $in: ids } }, { projection: deletionFields });
      await this.deleteAll(messages, () => requestMetadata(caller, snapshot.now));
      if (ids.length < PAGE_SIZE) return true;
      through = Math.min(...ids) - 1;
    }
    return (await newest(session, place, through)).length === 0;
  }

  /**
   * @param metadata makes the metadata of one deletion: a command appends to one stream, so each deletion is
   * a command of its own
   */
  private async deleteAll(
    messages: readonly MessageDocument[],
    metadata: () => EventMetadata,
  ): Promise<void> {
    const slice = new TimeSlice();
    for (let from = 0; from < messages.length; from += STREAMS_AT_ONCE) {
      const some = messages.slice(from, from + STREAMS_AT_ONCE);
      await Promise.all(some.map((message) => deleteMessage(this.decisions, message, metadata())));
      await slice.next();
    }
  }
}

async function newest(
  session: QuerySession,
  { channelId, topicKey: key }: { readonly channelId: number; readonly topicKey: string },
  through: number,
): Promise<readonly number[]> {
  const sources = channelSources(session.context, channelId);
  const narrow = {
    sources,
    conditions: [{ topicKey: key }],
    indexed: [],
    listed: null,
    within: null,
    tests: [],
    texts: noTexts,
  };
  const range = { window: { from: 1, to: through }, order: -1, limit: PAGE_SIZE } as const;
  return (await session.search.findPlaces(narrow, range)).map(({ _id }) => _id);
}
