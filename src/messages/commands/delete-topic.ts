import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Channel } from '../../channels/channel.js';
import { hasContentAccess } from '../../directory/channel-permissions.js';
import { mayDeleteAnyMessage } from '../../directory/message-permissions.js';
import { requestMetadata } from '../../event-store/command-metadata.js';
import { FoldedStreams } from '../../event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { isAdministrator } from '../../users/roles.js';
import { deleteMessage } from '../message-deletion.js';
import { MessageReader } from '../message-reader.js';
import { noTexts } from '../narrow/compiled-narrow.js';
import { channelSources, largestMessageId } from '../narrow/sources.js';
import type { Reading } from '../reading.js';
import { normalizeTopic, topicKey } from '../text.js';

/** How many messages a request deletes at most. */
const atOnce = 1000;

/** So many are looked up, and their streams written to, at a time. */
const pageSize = 100;

/**
 * Deletes what the caller can see of a topic, the newest first. Each message is deleted on its own stream, so that a request that
 * was broken off is finished by sending it again. Answers whether that was all of the topic.
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

/** @throws ApplicationError `administratorRequired`, `invalidChannel`, `badRequest` when nobody lets them delete messages */
function assertMayDeleteTopic(
  { moment, user }: Pick<Reading['context'], 'moment' | 'user'>,
  channel: Channel | null,
): void {
  if (!isAdministrator(user)) throw failure('administratorRequired');
  if (channel === null || channel.isArchived || !hasContentAccess(moment, user, channel)) {
    throw failure('invalidChannel');
  }
  if (!mayDeleteAnyMessage(moment, user, channel)) {
    throw failure('badRequest', { reason: "You don't have permission to delete this message" });
  }
}

@CommandHandler(DeleteTopic)
export class DeleteTopicHandler implements ICommandHandler<DeleteTopic> {
  constructor(
    private readonly messages: MessageReader,
    private readonly streams: FoldedStreams,
  ) {}

  async execute({ caller, channelId, topic }: DeleteTopic): Promise<boolean> {
    const reading = await this.messages.open(caller);
    const { moment } = reading.context;
    assertMayDeleteTopic(reading.context, moment.directory.channel(channelId));
    const place = { channelId, topicKey: topicKey(normalizeTopic(topic)) };
    let through = largestMessageId;
    for (let deleted = 0; deleted < atOnce; deleted += pageSize) {
      const ids = await newest(reading, place, through);
      await Promise.all(
        ids.map((id) => deleteMessage(this.streams, id, requestMetadata(caller, moment.now))),
      );
      if (ids.length < pageSize) return true;
      through = Math.min(...ids) - 1;
    }
    return (await newest(reading, place, through)).length === 0;
  }
}

async function newest(
  reading: Reading,
  { channelId, topicKey: key }: { readonly channelId: number; readonly topicKey: string },
  through: number,
): Promise<readonly number[]> {
  const sources = channelSources(reading.context, channelId);
  const narrow = { sources, conditions: [{ topicKey: key }], within: null, tests: [], texts: noTexts };
  const range = { window: { from: 1, to: through }, order: -1, limit: pageSize } as const;
  return (await reading.findPlaces(narrow, range)).map(({ _id }) => _id);
}
