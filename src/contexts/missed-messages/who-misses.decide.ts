import { visibilityPolicies, type VisibilityPolicy } from '../../events/attention.js';
import { isSubscribed, type Subscription } from '../../access/records/subscription.js';
import type { Snapshot } from '../../access/snapshot.js';
import type { EventOf } from '../../kernel/event.js';
import type { MessageSent } from '../../events/messages.js';
import { isNamed } from '../messages/mentions.js';
import { systemBotIds } from '../../access/system-bots.js';
import type { SettingName } from '../../events/values/setting-table.js';
import type { MessageMissed, MissedTrigger } from '../../events/missed-messages.js';

type Message = EventOf<typeof MessageSent>['data'];
type Missed = EventOf<typeof MessageMissed>['data'];

/** Facts about the people whom a message may concern. */
export interface Audience {
  readonly snapshot: Snapshot;
  /** Visibility policies for its topic. */
  readonly policies: ReadonlyMap<number, VisibilityPolicy>;
  /** The subscribers of its channel who want notifications about every message: see {@link notifiedSubscribers}. */
  readonly listeners: readonly number[];
  /** Whether a person is using a client. */
  readonly isPresent: (userId: number) => boolean;
  /** Whether a person has a device for push notifications. */
  readonly hasDevice: (userId: number) => boolean;
}

/** Why one person gets notifications, for each kind. */
interface Reasons {
  readonly mail: MissedTrigger | null;
  readonly push: MissedTrigger | null;
}

/**
 * Who gets an e-mail and a push notification about a message, by their settings: e-mail when they are away,
 * push also when they are here and want that. Null: nobody.
 */
export function whoMisses(messageId: number, message: Message, audience: Audience): Missed | null {
  const { snapshot, isPresent, hasDevice } = audience;
  const { settings } = snapshot.directory;
  const mail: Missed['mail'] = [];
  const push: Missed['push'] = [];
  // The welcome bot writes to people who have just joined and are here.
  if (message.senderId === systemBotIds.welcome) return null;
  for (const userId of peopleOf(message, audience)) {
    const user = snapshot.directory.user(userId);
    if (userId === message.senderId || user?.isActive !== true || user.bot !== null) continue;
    const reasons = reasonsFor(userId, message, audience);
    const isHere = isPresent(userId);
    if (reasons.mail !== null && !isHere) {
      const period = settings.value(userId, 'email_notifications_batching_period_seconds');
      mail.push({ userId, trigger: reasons.mail, dueAt: snapshot.now + period * 1000 });
    }
    const wantsNow = !isHere || settings.value(userId, 'enable_online_push_notifications');
    if (reasons.push !== null && wantsNow && hasDevice(userId)) {
      push.push({ userId, trigger: reasons.push });
    }
  }
  return mail.length + push.length === 0 ? null : { messageId, mail, push };
}

/** Records who misses a message, if anybody does. */
export function decideMissed(
  messageId: number,
  message: Message,
  audience: Audience,
): readonly EventOf<typeof MessageMissed>[] {
  const missed = whoMisses(messageId, message, audience);
  return missed === null ? [] : [{ type: 'MessageMissed', data: missed }];
}

/** Only people whom the message may concern are checked, because a channel may have very many subscribers. */
function peopleOf({ recipient, mentions }: Message, audience: Audience): Iterable<number> {
  if (recipient.type === 'direct') return recipient.userIds;
  const { snapshot, policies, listeners } = audience;
  if (mentions.channelWildcard) return snapshot.directory.subscriberIds(recipient.channelId);
  const following = [...policies].flatMap(([id, policy]) =>
    policy === visibilityPolicies.followed ? id : [],
  );
  const mentioned = [...mentions.userIds, ...mentions.groups.flatMap(({ userIds }) => userIds)];
  return new Set([...mentioned, ...(mentions.topicParticipantIds ?? []), ...following, ...listeners]);
}

/** The subscribers of a channel who want e-mails or push notifications about every message. */
export function notifiedSubscribers({ directory }: Snapshot, channelId: number): readonly number[] {
  return directory.subscriberIds(channelId).filter((userId) => {
    const subscription = directory.subscription(channelId, userId);
    if (subscription === null) return false;
    const { mail, push } = channelReasons(subscription, (name) => directory.settings.value(userId, name));
    return mail !== null || push !== null;
  });
}

function reasonsFor(userId: number, message: Message, audience: Audience): Reasons {
  const { directory } = audience.snapshot;
  const isOn = (name: FlagName): boolean => directory.settings.value(userId, name);
  const always = (trigger: MissedTrigger): Reasons => ({
    mail: isOn('enable_offline_email_notifications') ? trigger : null,
    push: isOn('enable_offline_push_notifications') ? trigger : null,
  });
  const { recipient, mentions } = message;
  if (recipient.type === 'direct') return always('direct_message');
  const subscription = directory.subscription(recipient.channelId, userId);
  if (subscription === null || !isSubscribed(subscription)) return nothing;
  if (isNamed(mentions, userId)) return always('mentioned');
  const policy = audience.policies.get(userId) ?? visibilityPolicies.none;
  if (hasWildcardFor(mentions, userId) && listensToWildcards(subscription, policy, isOn)) {
    return always('wildcard_mentioned');
  }
  return first(
    policy === visibilityPolicies.followed ? followedReasons(isOn) : nothing,
    isMuted(subscription, policy) ? nothing : channelReasons(subscription, isOn),
  );
}

function hasWildcardFor(
  { channelWildcard, topicParticipantIds }: Message['mentions'],
  userId: number,
): boolean {
  return channelWildcard || topicParticipantIds?.includes(userId) === true;
}

/** The settings that are true or false. */
type FlagName = Extract<SettingName, `enable_${string}` | 'wildcard_mentions_notify'>;
type IsOn = (name: FlagName) => boolean;

const nothing: Reasons = { mail: null, push: null };

function listensToWildcards(subscription: Subscription, policy: VisibilityPolicy, isOn: IsOn): boolean {
  const isFollowed = policy === visibilityPolicies.followed;
  if (isFollowed && isOn('enable_followed_topic_wildcard_mentions_notify')) return true;
  if (isMuted(subscription, policy)) return false;
  return subscription.wildcardMentionsNotify ?? isOn('wildcard_mentions_notify');
}

function followedReasons(isOn: IsOn): Reasons {
  return {
    mail: isOn('enable_followed_topic_email_notifications') ? 'followed_topic' : null,
    push: isOn('enable_followed_topic_push_notifications') ? 'followed_topic' : null,
  };
}

/** A setting of the subscription overrides the general setting. */
function channelReasons({ emailNotifications, pushNotifications }: Subscription, isOn: IsOn): Reasons {
  return {
    mail: (emailNotifications ?? isOn('enable_stream_email_notifications')) ? 'channel' : null,
    push: (pushNotifications ?? isOn('enable_stream_push_notifications')) ? 'channel' : null,
  };
}

function first(one: Reasons, other: Reasons): Reasons {
  return { mail: one.mail ?? other.mail, push: one.push ?? other.push };
}

/** A policy for the topic overrides muting of the channel. */
function isMuted({ isMuted: isChannelMuted }: Subscription, policy: VisibilityPolicy): boolean {
  if (policy === visibilityPolicies.muted) return true;
  return isChannelMuted && policy === visibilityPolicies.none;
}
