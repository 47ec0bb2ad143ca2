import { alertWordsOf, mutedTopicsOf, mutedUsersOf, userTopicsOf } from './attention-objects.js';
import { shownTopic } from '../../events/values/message-text.js';
import { topicFormat } from '../../realtime/queues/queue-options.js';
import { shownAttention } from './shown-attention.js';
import { isFetched, type InitialState } from '../../realtime/initial-state.js';
import type { AttentionModels } from './client-models.js';

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
    return { muted_topics: mutedTopicsOf(shown, snapshot.directory) };
  },
  user_topic: async ({ models, user, snapshot, options }) => {
    const format = topicFormat(options);
    const shown = shownAttention(await models.attention(user.id), snapshot.directory, options);
    return { user_topics: userTopicsOf(shown, (topic) => shownTopic(topic, format)) };
  },
};
