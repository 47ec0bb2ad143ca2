import { z } from 'zod';
import type { Directory } from '../../access/directory.js';
import { visibilityPolicies } from '../../events/attention.js';
import { id, named, seconds } from '../../http/replies/common-schemas.js';
import { toSeconds } from '../../kernel/clock.js';
import { clientEvent } from '../../realtime/client-event-schema.js';
import type { QueueOptions } from '../../realtime/queues/queue-options.js';
import { isShownChannel } from '../../realtime/mapper.js';
import type { Attention } from './attention.state.js';

const alertWords = z.array(z.string()).describe('In the order in which they were added');
const mutedUsers = z.array(z.strictObject({ id, timestamp: seconds }));
const mutedTopics = z
  .array(z.tuple([z.string(), z.string(), z.int()]))
  .describe('Name of the channel, topic, and time in seconds since the UNIX epoch');

const userTopic = {
  stream_id: id,
  topic_name: z.string(),
  last_updated: seconds,
  visibility_policy: z
    .int()
    .describe('0: none, the settings of the channel apply; 1: muted; 2: unmuted; 3: followed'),
} as const;

/** Answered by `GET users/me/alert_words`, `POST users/me/alert_words`, `DELETE users/me/alert_words`. */
export const alertWordsReply = { alert_words: alertWords };

/** Schemas of the client events about attention settings. */
export const attentionEventSchemas = [
  clientEvent('alert_words', null, { alert_words: alertWords }),
  clientEvent('muted_users', null, { muted_users: mutedUsers }),
  clientEvent('muted_topics', null, { muted_topics: mutedTopics }),
  clientEvent('user_topic', null, userTopic),
];

/** Schemas of the initial state about attention settings. */
export const attentionStateFields = {
  alert_words: alertWords.optional(),
  muted_users: mutedUsers.optional(),
  muted_topics: mutedTopics.optional().describe('Absent for clients that request `user_topic`'),
  user_topics: z.array(named('UserTopic', z.strictObject(userTopic))).optional(),
} as const;

/** Alert words formatted for the API, in the order in which they were added. */
export function alertWordsOf({ alertWords }: Attention): readonly string[] {
  return alertWords;
}

/** Muted people formatted for the API. */
export function mutedUsersOf({ mutedPeople }: Attention): readonly object[] {
  return mutedPeople.map(({ userId, since }) => ({ id: userId, timestamp: toSeconds(since) }));
}

/** Muted topics in the API's older form: the channel by its name. */
export function mutedTopicsOf(
  { topics }: Attention,
  directory: Directory,
  shown: (topic: string) => string,
): readonly (readonly unknown[])[] {
  return topics.flatMap(({ channelId, topic, policy, changedAt }) => {
    const channel = directory.channel(channelId);
    if (policy !== visibilityPolicies.muted || channel === null) return [];
    return [[channel.name, shown(topic), toSeconds(changedAt)]];
  });
}

/** Topic visibility policies formatted for the API. */
export function userTopicsOf({ topics }: Attention, shown: (topic: string) => string): readonly object[] {
  return topics.map(({ channelId, topic, policy, changedAt }) => ({
    stream_id: channelId,
    topic_name: shown(topic),
    last_updated: toSeconds(changedAt),
    visibility_policy: policy,
  }));
}

/** A person's attention settings, without topics of channels that a client does not get. */
export function shownAttention(
  attention: Attention,
  directory: Directory,
  options: Pick<QueueOptions, 'capabilities'>,
): Attention {
  const topics = attention.topics.filter(({ channelId }) => isShownChannel(channelId, directory, options));
  return { ...attention, topics };
}
