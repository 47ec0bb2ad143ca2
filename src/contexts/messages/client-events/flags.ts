import { type Attention, isTopic } from '../../attention/attention.state.js';
import { visibilityPolicies } from '../../../events/attention.js';
import type { Directory } from '../../../access/directory.js';
import type { FlagEvent } from '../../../events/message-flags.js';
import { idsIn, maxIdsIn } from '../flags/id-ranges.js';
import { isMentioned } from '../mentions.js';
import type { MessageDocument } from '../message-document.js';
import { shownTopic } from '../../../events/values/message-text.js';
import { type AddressedEvent, isShownChannel, mapper, type Mappers } from '../../../realtime/mapper.js';
import { topicFormat, type QueueOptions } from '../../../realtime/queues/queue-options.js';
import type { MessageModels } from './client-models.js';
import { MAX_UNREAD } from '../flags/unread-messages.js';

interface Change {
  readonly op: 'add' | 'remove';
  readonly flag: 'read' | 'starred' | 'collapsed';
  readonly messages: readonly number[];
}

/**
 * An event names the newest messages that become read at once, at most this many: clients know of no more
 * unread messages (`unread_msgs`). Only if the person marks everything as read, it says so and names none.
 */
const MAX_NAMED = MAX_UNREAD;

/** Changes of flags: read, starred, collapsed. */
export const flagMappers: Mappers<FlagEvent, MessageModels> = {
  MessagesMarkedRead: mapper({
    read: ({ data: { userId, ranges, everything, changed } }, models) => {
      if (everything === true || !models.hasClient(userId)) return Promise.resolve([]);
      if (changed !== undefined) return Promise.resolve(maxIdsIn(changed, MAX_NAMED));
      return models.receivedWithin(userId, ranges, MAX_NAMED);
    },
    clientEvents: ({ data: { userId, everything } }, { read }) => {
      const event = flagsEvent({ op: 'add', flag: 'read', messages: read });
      return [{ to: [userId], event: { ...event, all: everything === true } }];
    },
  }),
  MessagesMarkedUnread: mapper({
    read: async ({ position, data: { userId, ranges } }, models) => {
      const messages = models.hasClient(userId) ? await models.messages(idsIn(ranges)) : [];
      const documents = messages.map(({ document }) => document);
      return {
        messages: await models.placedAt(documents, position),
        attention: await models.attention(userId),
      };
    },
    clientEvents: ({ data: { userId } }, { snapshot: { directory }, read: { messages, attention } }) => [
      {
        to: [userId],
        event: ({ options }) => {
          const reader = { userId, directory, attention, options };
          const shown = messages.filter(
            ({ channelId }) => channelId === null || isShownChannel(channelId, directory, options),
          );
          if (shown.length === 0) return null;
          const details = shown.map((message) => [message._id, detailsOf(message, reader)]);
          const ids = shown.map(({ _id }) => _id);
          const event = flagsEvent({ op: 'remove', flag: 'read', messages: ids });
          return { ...event, message_details: Object.fromEntries(details) as object };
        },
      },
    ],
  }),
  MessagesStarred: { clientEvents: ({ data }) => changed(data, 'add', 'starred') },
  MessagesUnstarred: { clientEvents: ({ data }) => changed(data, 'remove', 'starred') },
  MessagesCollapsed: { clientEvents: ({ data }) => changed(data, 'add', 'collapsed') },
  MessagesUncollapsed: { clientEvents: ({ data }) => changed(data, 'remove', 'collapsed') },
};

function changed(
  { userId, messageIds: messages }: { readonly userId: number; readonly messageIds: readonly number[] },
  op: Change['op'],
  flag: Change['flag'],
): readonly AddressedEvent[] {
  return [{ to: [userId], event: flagsEvent({ op, flag, messages }) }];
}

function flagsEvent({ op, flag, messages }: Change) {
  return { type: 'update_message_flags', op, operation: op, flag, messages, all: false };
}

interface DetailsReader {
  readonly userId: number;
  readonly directory: Directory;
  readonly attention: Attention;
  readonly options: QueueOptions;
}

/** What a client needs about a message that it may not know, to count it as unread. */
function detailsOf(message: MessageDocument, reader: DetailsReader): object {
  const { userId } = reader;
  const { mentions, channelId, topic } = message;
  const mentioned = isMentioned(mentions, userId) ? { mentioned: true } : {};
  if (channelId === null) {
    const others = (message.participantIds ?? []).filter((id) => id !== userId);
    return { type: 'private', user_ids: others, ...mentioned };
  }
  return {
    type: 'stream',
    stream_id: channelId,
    topic: shownTopic(topic ?? '', topicFormat(reader.options)),
    unmuted_stream_msg: !isMuted({ channelId, topic: topic ?? '' }, reader),
    ...mentioned,
  };
}

function isMuted(
  { channelId, topic }: { readonly channelId: number; readonly topic: string },
  { userId, directory, attention }: DetailsReader,
): boolean {
  const policy = attention.topics.find((setting) => isTopic(setting, channelId, topic))?.policy;
  if (policy === visibilityPolicies.muted) return true;
  const isVisible = policy === visibilityPolicies.unmuted || policy === visibilityPolicies.followed;
  return !isVisible && directory.subscription(channelId, userId)?.isMuted === true;
}
