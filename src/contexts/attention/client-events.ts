import type { AttentionEvent } from '../../events/attention.js';
import { shownTopic } from '../../events/values/message-text.js';
import { toSeconds } from '../../kernel/clock.js';
import { isFetched, type InitialState } from '../../realtime/initial-state.js';
import { type AddressedEvent, isShownChannel, mapper, type Mappers, toSelf } from '../../realtime/mapper.js';
import { topicFormat, type QueueOptions } from '../../realtime/queues/queue-options.js';
import {
  alertWordsOf,
  mutedTopicsOf,
  mutedUsersOf,
  shownAttention,
  userTopicsOf,
} from './attention.replies.js';
import type { Attention } from './attention.state.js';

/** The read models behind client events about attention settings. */
export interface AttentionModels {
  attention(userId: number): Promise<Attention>;
}

/** Topic visibility policies, muted people and alert words. */
export const attentionState: InitialState<AttentionModels> = {
  alert_words: async ({ models, user }) => ({ alert_words: alertWordsOf(await models.attention(user.id)) }),
  muted_users: async ({ models, user }) => ({ muted_users: mutedUsersOf(await models.attention(user.id)) }),
  // Clients that request the newer list by name do not get the older one too.
  muted_topics: async (request) => {
    const { models, user, snapshot, options, fetched } = request;
    const knowsNewer = fetched !== null && isFetched(request, 'user_topic');
    if (knowsNewer || options.eventTypes?.has('user_topic') === true) return {};
    const shown = shownAttention(await models.attention(user.id), snapshot.directory, options);
    return { muted_topics: mutedTopicsOf(shown, snapshot.directory, topicsFor(options)) };
  },
  user_topic: async ({ models, user, snapshot, options }) => {
    const shown = shownAttention(await models.attention(user.id), snapshot.directory, options);
    return { user_topics: userTopicsOf(shown, topicsFor(options)) };
  },
};

/** How topics are named for a client. */
function topicsFor(options: QueueOptions): (topic: string) => string {
  const format = topicFormat(options);
  return (topic) => shownTopic(topic, format);
}

interface OfOne {
  readonly data: { readonly userId: number };
}

function attentionOf({ data: { userId } }: OfOne, models: AttentionModels): Promise<Attention> {
  return models.attention(userId);
}

function mutedUsers({ data }: OfOne, { read }: { readonly read: Attention }): readonly AddressedEvent[] {
  return toSelf(data, { type: 'muted_users', muted_users: mutedUsersOf(read) });
}

function alertWords({ data }: OfOne, { read }: { readonly read: Attention }): readonly AddressedEvent[] {
  return toSelf(data, { type: 'alert_words', alert_words: alertWordsOf(read) });
}

/** Client events about topic visibility policies, muted people and alert words. Lists are sent complete. */
export const attentionMappers: Mappers<AttentionEvent, AttentionModels> = {
  TopicVisibilityChanged: mapper({
    read: (event, models) => attentionOf(event, models),
    clientEvents: ({ data, metadata }, { snapshot, read }) => {
      const changed = {
        stream_id: data.channelId,
        last_updated: toSeconds(metadata.at),
        visibility_policy: data.policy,
      };
      return [
        {
          to: [data.userId],
          // Clients that request the newer event type by name do not get the older one too.
          event: ({ options }) => {
            if (options.eventTypes?.has('user_topic') === true) return null;
            const shown = shownAttention(read, snapshot.directory, options);
            const topics = mutedTopicsOf(shown, snapshot.directory, topicsFor(options));
            return { type: 'muted_topics', muted_topics: topics };
          },
        },
        {
          to: [data.userId],
          event: ({ options }) =>
            isShownChannel(data.channelId, snapshot.directory, options)
              ? { type: 'user_topic', topic_name: topicsFor(options)(data.topic), ...changed }
              : null,
        },
      ];
    },
  }),
  PersonMuted: mapper({ read: attentionOf, clientEvents: mutedUsers }),
  PersonUnmuted: mapper({ read: attentionOf, clientEvents: mutedUsers }),
  AlertWordsAdded: mapper({ read: attentionOf, clientEvents: alertWords }),
  AlertWordsRemoved: mapper({ read: attentionOf, clientEvents: alertWords }),
};
