import type { Attention } from '../../attention/attention.js';
import type { AttentionEvent } from '../../attention/events.js';
import { alertWordsOf, mutedTopicsOf, mutedUsersOf } from '../../attention/attention-objects.js';
import { toSeconds } from '../../kernel/clock.js';
import { shownTopic } from '../../messages/text.js';
import type { ClientModels } from '../client-models.js';
import { translation, type Notice, type Translations } from '../translation.js';
import { topicFormat } from '../queues/queue-options.js';
import { isShownChannel, shownAttention } from '../shown-channels.js';
import { toSelf } from './to-self.js';

interface OfOne {
  readonly data: { readonly userId: number };
}

function attentionOf({ data: { userId } }: OfOne, models: ClientModels): Promise<Attention> {
  return models.attention(userId);
}

function mutedUsers({ data }: OfOne, { read }: { readonly read: Attention }): readonly Notice[] {
  return toSelf(data, { type: 'muted_users', muted_users: mutedUsersOf(read) });
}

function alertWords({ data }: OfOne, { read }: { readonly read: Attention }): readonly Notice[] {
  return toSelf(data, { type: 'alert_words', alert_words: alertWordsOf(read) });
}

/** What people want to hear of. Lists are sent whole. */
export const attentionTranslations: Translations<AttentionEvent> = {
  TopicVisibilityChanged: translation({
    read: (event, models) => attentionOf(event, models),
    notices: ({ data, metadata }, { moment, read }) => {
      const changed = {
        stream_id: data.channelId,
        last_updated: toSeconds(metadata.at),
        visibility_policy: data.policy,
      };
      return [
        {
          to: [data.userId],
          // Clients that ask for the newer event by its name do not want the older one beside it.
          event: ({ options }) => {
            if (options.eventTypes?.has('user_topic') === true) return null;
            const shown = shownAttention(read, moment.directory, options);
            return { type: 'muted_topics', muted_topics: mutedTopicsOf(shown, moment.directory) };
          },
        },
        {
          to: [data.userId],
          event: ({ options }) =>
            isShownChannel(data.channelId, moment.directory, options)
              ? { type: 'user_topic', topic_name: shownTopic(data.topic, topicFormat(options)), ...changed }
              : null,
        },
      ];
    },
  }),
  PersonMuted: translation({ read: attentionOf, notices: mutedUsers }),
  PersonUnmuted: translation({ read: attentionOf, notices: mutedUsers }),
  AlertWordsAdded: translation({ read: attentionOf, notices: alertWords }),
  AlertWordsRemoved: translation({ read: attentionOf, notices: alertWords }),
};
