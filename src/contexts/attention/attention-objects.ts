import type { Directory } from '../../access/directory.js';
import { toSeconds } from '../../kernel/clock.js';
import type { Attention } from './attention.state.js';
import { visibilityPolicies } from '../../events/attention.js';

/** Alert words formatted for the API, in the order in which they were added. */
export function alertWordsOf({ alertWords }: Attention): readonly string[] {
  return alertWords;
}

/** Muted people formatted for the API. */
export function mutedUsersOf({ mutedPeople }: Attention): readonly object[] {
  return mutedPeople.map(({ userId, since }) => ({ id: userId, timestamp: toSeconds(since) }));
}

/** Muted topics in the API's older form: the channel by its name. */
export function mutedTopicsOf({ topics }: Attention, directory: Directory): readonly (readonly unknown[])[] {
  return topics.flatMap(({ channelId, topic, policy, changedAt }) => {
    const channel = directory.channel(channelId);
    if (policy !== visibilityPolicies.muted || channel === null) return [];
    return [[channel.name, topic, toSeconds(changedAt)]];
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
