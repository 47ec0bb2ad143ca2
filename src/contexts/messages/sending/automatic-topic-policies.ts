import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { followUp } from '../../attention/follow-up.js';
import { Decisions } from '../../../http/decisions.js';
import { AttentionReader } from '../../attention/attention-reader.js';
import { decideAutomaticVisibility, decideVisibilityByOthers } from '../../attention/attention.decide.js';
import { visibilityPolicies, type VisibilityPolicy } from '../../../events/attention.js';
import { isMoreVisible, policyByActivity, topicActivities } from '../../attention/topic-visibility.js';
import { isSubscribed } from '../../../access/records/subscription.js';
import type { Directory } from '../../../access/directory.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { Recorded } from '../../../kernel/event.js';
import { idAtRevision } from '../../../kernel/ids.js';
import type { Mentions, MessageSent, ReactionAdded, TopicPolicy } from '../../../events/messages.js';
import type { MessageDocument } from '../message-document.js';
import type { SubmessageAttached } from '../../../events/submessages.js';
import { MessageReader } from '../message-reader.js';
import type { User } from '../../../access/records/user.js';
import { TimeSlice } from '../../../runtime/time-slice.js';
import type { SendFacts } from './recipients.js';

/** How many of the people whom a message mentions have their policies when it is replied to. */
export const MENTIONED_BEFORE_REPLY = 10;

/** How many of the others get their policies at once: few, because all of it is on the request thread. */
export const MENTIONED_AT_ONCE = 4;

/** How many messages are known by what was done for them before the reply. */
const REMEMBERED = 1_000;

/** An event by which somebody took part in a topic: a reaction or a submessage. */
type Participation = Recorded<typeof ReactionAdded | typeof SubmessageAttached>;

/** A policy for a topic, and whose it is. */
interface PolicyOfPerson extends TopicPolicy {
  readonly channelId: number;
  readonly topic: string;
}

/**
 * Makes people follow or unmute the topics that they write in, react in or are mentioned in, according to
 * their settings.
 */
@Injectable()
export class AutomaticTopicPolicies {
  /** By event id of the message: what {@link beforeReply} does or did. */
  private readonly before = new LRUCache<string, Promise<VisibilityPolicy | null>>({ max: REMEMBERED });

  constructor(
    private readonly follower: DirectoryFollower,
    private readonly messages: MessageReader,
    private readonly reader: AttentionReader,
    private readonly decisions: Decisions,
  ) {}

  /**
   * The topic policies that follow from a message that is about to be sent, for people who do not have that
   * policy or a stronger one yet.
   */
  async of(facts: SendFacts, mentions: Mentions): Promise<readonly TopicPolicy[]> {
    const { recipient } = facts;
    if (recipient.type !== 'channel' || policiesBySending(facts, mentions).length === 0) return [];
    const known = await this.reader.policiesFor(recipient.channelId, recipient.topic);
    const policyOf = (userId: number): VisibilityPolicy => known.get(userId) ?? visibilityPolicies.none;
    // Others do not bring back by a mention what somebody muted.
    const userIds = mentions.userIds.filter((userId) => policyOf(userId) !== visibilityPolicies.muted);
    return policiesBySending(facts, { ...mentions, userIds }).filter(({ userId, policy }) =>
      isMoreVisible(policy, policyOf(userId)),
    );
  }

  /**
   * Appends the topic policies that a message causes for its sender and for the first few people whom it
   * mentions. This is done once, although both the reply and the reactor ask for it.
   *
   * @returns the sender's new policy; null where it does not change
   */
  beforeReply(event: Recorded<typeof MessageSent>): Promise<VisibilityPolicy | null> {
    const known = this.before.get(event.id);
    if (known !== undefined) return known;
    const attempt = this.appendFirst(event);
    this.before.set(event.id, attempt);
    attempt.catch(() => this.before.delete(event.id));
    return attempt;
  }

  /**
   * Appends all topic policies that follow from a message, unless that was done before. A message may mention
   * hundreds of people, so other requests are answered in between.
   */
  async afterSending(event: Recorded<typeof MessageSent>): Promise<void> {
    await this.beforeReply(event);
    const { others: planned } = topicPoliciesOf(event);
    const others = planned.length === 0 ? [] : await this.whereItIs(event, planned);
    const slice = new TimeSlice();
    for (let from = 0; from < others.length; from += MENTIONED_AT_ONCE) {
      if (slice.isOver) await slice.next();
      const some = others.slice(from, from + MENTIONED_AT_ONCE);
      await Promise.all(some.map((policy) => this.follow(event, policy)));
    }
  }

  /** Appends the topic policies that follow from taking part in a message, unless that was done before. */
  async afterParticipation(event: Participation): Promise<void> {
    const directory = this.follower.current();
    const { messageId, userId } = event.data;
    const user = directory.user(userId);
    // Few people have this setting: for the others nothing is looked up.
    if (user === null || !mayFollowByParticipation(directory, user)) return;
    const place = await this.placeOf(messageId);
    if (place?.channelId == null || place.topic === null) return;
    const { channelId, topic } = place;
    const policy = policyByActivity({ directory, user, channelId }, topicActivities.takingPart);
    if (policy !== null) await this.follow(event, { userId, channelId, topic, policy });
  }

  /** The policies for the topic to which the message was moved meanwhile; none where it left the channel. */
  private async whereItIs(
    event: Recorded<typeof MessageSent>,
    policies: readonly PolicyOfPerson[],
  ): Promise<readonly PolicyOfPerson[]> {
    const place = await this.placeOf(idAtRevision(event.revision));
    // The read model does not have it yet, or it was deleted.
    if (place === null) return policies;
    const { channelId, topic } = place;
    return policies
      .filter((policy) => policy.channelId === channelId)
      .map((policy) => ({ ...policy, topic: topic ?? '' }));
  }

  private async appendFirst(event: Recorded<typeof MessageSent>): Promise<VisibilityPolicy | null> {
    const { first } = topicPoliciesOf(event);
    const policies = await Promise.all(first.map((policy) => this.follow(event, policy)));
    const own = first.findIndex(({ userId }) => userId === event.data.senderId);
    return policies[own] ?? null;
  }

  private async placeOf(messageId: number): Promise<Pick<MessageDocument, 'channelId' | 'topic'> | null> {
    const model = await this.messages.model();
    return model.collection<MessageDocument>('messages').findOne({ _id: messageId });
  }

  private async follow(
    event: Recorded<typeof MessageSent> | Participation,
    { userId, ...topicPolicy }: PolicyOfPerson,
  ): Promise<VisibilityPolicy | null> {
    const isOwn = event.type !== 'MessageSent' || event.data.senderId === userId;
    const decide = isOwn ? decideAutomaticVisibility : decideVisibilityByOthers;
    const appended = await followUp(this.decisions, { userId, cause: event }, (attention) =>
      decide(attention, topicPolicy, { userId }),
    );
    return appended.length === 0 ? null : topicPolicy.policy;
  }
}

/**
 * The policies that a message causes: those that are set before the reply (the sender's, and those of the
 * first people whom it mentions), and the others.
 */
function topicPoliciesOf({
  data: { recipient, senderId, topicWishes = [] },
}: Recorded<typeof MessageSent>): Readonly<Record<'first' | 'others', readonly PolicyOfPerson[]>> {
  if (recipient.type !== 'channel') return { first: [], others: [] };
  const { channelId, topic } = recipient;
  const policies = topicWishes.map((one): PolicyOfPerson => ({ ...one, channelId, topic }));
  const own = policies.filter(({ userId }) => userId === senderId);
  const mentioned = policies.filter(({ userId }) => userId !== senderId);
  return {
    first: [...own, ...mentioned.slice(0, MENTIONED_BEFORE_REPLY)],
    others: mentioned.slice(MENTIONED_BEFORE_REPLY),
  };
}

function mayFollowByParticipation({ settings }: Directory, { id, bot }: User): boolean {
  const { takingPart } = topicActivities;
  return (
    bot === null &&
    (settings.value(id, 'automatically_follow_topics_policy') === takingPart ||
      settings.value(id, 'automatically_unmute_topics_in_muted_streams_policy') === takingPart)
  );
}

/**
 * The topic policies that sending a message causes: for its sender, and for the subscribers whom it mentions
 * by name.
 */
export function policiesBySending(
  { snapshot: { directory }, sender, recipient, isNewConversation }: SendFacts,
  mentions: Mentions,
): readonly TopicPolicy[] {
  if (recipient.type !== 'channel') return [];
  const { channelId } = recipient;
  const activity = isNewConversation ? topicActivities.starting : topicActivities.writing;
  const own = policyByActivity({ directory, user: sender, channelId }, activity);
  const policies = new Map(own === null ? [] : [[sender.id, own]]);
  for (const userId of mentions.userIds) {
    const isPerson = directory.user(userId)?.bot === null;
    const follows = directory.settings.value(userId, 'automatically_follow_topics_where_mentioned');
    if (isPerson && follows && isSubscribed(directory.subscription(channelId, userId))) {
      policies.set(userId, visibilityPolicies.followed);
    }
  }
  return [...policies].map(([userId, policy]) => ({ userId, policy }));
}
