import { isSubscribed } from '../../access/records/subscription.js';
import type { Directory } from '../../access/directory.js';
import type { User } from '../../access/records/user.js';
import { visibilityPolicies, type VisibilityPolicy } from '../../events/attention.js';

/** Policies ranked by how visible they make a topic. */
const ranks: Readonly<Record<VisibilityPolicy, number>> = {
  [visibilityPolicies.muted]: 0,
  [visibilityPolicies.none]: 1,
  [visibilityPolicies.unmuted]: 2,
  [visibilityPolicies.followed]: 3,
};

/** Whether a policy makes a topic more visible than another one. */
export function isMoreVisible(policy: VisibilityPolicy, other: VisibilityPolicy): boolean {
  return ranks[policy] > ranks[other];
}

/** Activities in a topic, with the numbers that the settings for automatic following and unmuting use. */
export const topicActivities = { takingPart: 1, writing: 2, starting: 3 } as const;
type TopicActivity = (typeof topicActivities)[keyof typeof topicActivities];

/** A person who is active in a channel. */
interface Active {
  readonly directory: Directory;
  readonly user: User;
  readonly channelId: number;
}

/**
 * The policy that a person's activity causes, unless theirs is as visible already; null: no change. Bots
 * follow nothing.
 */
export function policyByActivity(active: Active, activity: TopicActivity): VisibilityPolicy | null {
  // 1 to 3 name an activity, 4 means never.
  return policyWhere(active, (setting) => setting <= activity);
}

/**
 * The policy that it causes for a person when somebody moves their message so that it starts a topic; null: no
 * change. They did nothing in the topic themselves, so only a choice of exactly that activity counts.
 */
export function policyByBecomingFirst(active: Active): VisibilityPolicy | null {
  return policyWhere(active, (setting) => setting === topicActivities.starting);
}

/** The policy of a person whose settings name an activity that counts. */
function policyWhere(active: Active, counts: (setting: number) => boolean): VisibilityPolicy | null {
  const { directory, user } = active;
  if (user.bot !== null) return null;
  const { settings } = directory;
  if (counts(settings.value(user.id, 'automatically_follow_topics_policy')))
    return visibilityPolicies.followed;
  const unmutes = counts(settings.value(user.id, 'automatically_unmute_topics_in_muted_streams_policy'));
  return unmutes && isChannelMuted(active) ? visibilityPolicies.unmuted : null;
}

function isChannelMuted({ directory, user, channelId }: Active): boolean {
  const subscription = directory.subscription(channelId, user.id);
  return isSubscribed(subscription) && subscription?.isMuted === true;
}
