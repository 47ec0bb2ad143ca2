import { visibilityPolicies, type VisibilityPolicy } from './events.js';

/** Policies by how much a person hears of a topic that has them. */
const ranks: Readonly<Record<VisibilityPolicy, number>> = {
  [visibilityPolicies.muted]: 0,
  [visibilityPolicies.none]: 1,
  [visibilityPolicies.unmuted]: 2,
  [visibilityPolicies.followed]: 3,
};

/** Whether somebody hears more of a topic by one policy than by another. */
export function isMoreVisible(policy: VisibilityPolicy, other: VisibilityPolicy): boolean {
  return ranks[policy] > ranks[other];
}

/** What somebody does in a topic, numbered as the settings that follow or unmute it because of that are. */
export const topicActivities = { takingPart: 1, writing: 2, starting: 3 } as const;
export type TopicActivity = (typeof topicActivities)[keyof typeof topicActivities];

/** A person’s settings about topics that they become active in: 1 to 3 name a {@link TopicActivity}, 4 is never. */
export interface TopicSettings {
  readonly automatically_follow_topics_policy: number;
  readonly automatically_unmute_topics_in_muted_streams_policy: number;
}

/** What somebody’s activity makes of a topic for them, unless they hear more of it already; null: nothing. */
export function policyByActivity(
  settings: TopicSettings,
  activity: TopicActivity,
  isChannelMuted: boolean,
): VisibilityPolicy | null {
  if (settings.automatically_follow_topics_policy <= activity) return visibilityPolicies.followed;
  const unmutes = settings.automatically_unmute_topics_in_muted_streams_policy <= activity;
  return isChannelMuted && unmutes ? visibilityPolicies.unmuted : null;
}
