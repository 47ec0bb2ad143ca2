import { z } from 'zod';
import { id, seconds } from '../../http/replies/common-schemas.js';
import { named } from '../../http/replies/named-schema.js';
import { clientEvent } from '../../realtime/client-event-schema.js';

const alertWords = z.array(z.string()).describe('In the order in which they were added');
const mutedUsers = z.array(z.strictObject({ id, timestamp: seconds }));
const mutedTopics = z.array(z.tuple([z.string(), z.string(), z.int()])).describe('Channel, topic, time');

const userTopic = {
  stream_id: id,
  topic_name: z.string(),
  last_updated: seconds,
  visibility_policy: z.int().describe('0 as the channel is, 1 muted, 2 unmuted, 3 followed'),
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
  muted_topics: mutedTopics.optional().describe('Absent for clients that ask for `user_topic`'),
  user_topics: z.array(named('UserTopic', z.strictObject(userTopic))).optional(),
} as const;
