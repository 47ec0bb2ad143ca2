import { isLongerThan, foldCase } from '../../kernel/text.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { isTopic, type Attention } from './attention.state.js';
import { isMoreVisible } from './topic-visibility.js';
import { visibilityPolicies, type AttentionEvent, type VisibilityPolicy } from '../../events/attention.js';

/** A person who changes their own attention settings. */
interface Oneself {
  readonly userId: number;
}

/** The visibility policy of one topic. */
interface TopicPolicy {
  readonly channelId: number;
  readonly topic: string;
  readonly policy: VisibilityPolicy;
}

/**
 * No events when the policy is set already.
 *
 * @throws ApplicationError `tooManyTopicPolicies`
 */
export function decideTopicVisibility(
  { topics }: Attention,
  topicPolicy: TopicPolicy,
  { userId }: Oneself,
): readonly AttentionEvent[] {
  if (policyFor(topics, topicPolicy) === topicPolicy.policy) return [];
  if (isOneTooMany(topics, topicPolicy)) throw failure('tooManyTopicPolicies');
  return [{ type: 'TopicVisibilityChanged', data: { userId, ...topicPolicy } }];
}

/** A topic whose messages were all moved, and what that means for one person. */
export interface MovedTopic {
  readonly from: Omit<TopicPolicy, 'policy'>;
  readonly to: Omit<TopicPolicy, 'policy'>;
  /** Whether the target had messages before. */
  readonly targetHadMessages: boolean;
  /** Whether the person can still see the messages. */
  readonly keepsMessages: boolean;
}

/**
 * A person's policy moves with the messages; if the target had messages before, the more visible of both
 * policies applies.
 */
export function decideMoveTopicPolicy(
  { topics }: Attention,
  { from, to, targetHadMessages, keepsMessages }: MovedTopic,
  { userId }: Oneself,
): readonly AttentionEvent[] {
  const [old, present] = [policyFor(topics, from), policyFor(topics, to)];
  const combined = targetHadMessages && isMoreVisible(present, old) ? present : old;
  const changes = [
    { ...from, before: old, policy: visibilityPolicies.none },
    { ...to, before: present, policy: keepsMessages ? combined : present },
  ];
  return changes
    .filter(({ before, policy }) => before !== policy)
    .map(({ before: _before, ...topicPolicy }) => ({
      type: 'TopicVisibilityChanged',
      data: { userId, ...topicPolicy },
    }));
}

/** A topic policy caused by the action of another person, such as a mention. No events for a topic that the person muted. */
export function decideVisibilityByOthers(
  attention: Attention,
  topicPolicy: TopicPolicy,
  oneself: Oneself,
): readonly AttentionEvent[] {
  if (policyFor(attention.topics, topicPolicy) === visibilityPolicies.muted) return [];
  return decideAutomaticVisibility(attention, topicPolicy, oneself);
}

/**
 * A topic policy caused by a person's activity; no events where their policy is as visible already, or they
 * have too many policies.
 */
export function decideAutomaticVisibility(
  { topics }: Attention,
  topicPolicy: TopicPolicy,
  { userId }: Oneself,
): readonly AttentionEvent[] {
  if (!isMoreVisible(topicPolicy.policy, policyFor(topics, topicPolicy))) return [];
  if (isOneTooMany(topics, topicPolicy)) return [];
  return [{ type: 'TopicVisibilityChanged', data: { userId, ...topicPolicy } }];
}

/** Whether the person has the maximum number of policies for other topics. */
function isOneTooMany(topics: Attention['topics'], { channelId, topic, policy }: TopicPolicy): boolean {
  if (policy === visibilityPolicies.none || topics.length < budgets.topicPolicies.max) return false;
  return !topics.some((setting) => isTopic(setting, channelId, topic));
}

function policyFor(
  topics: Attention['topics'],
  { channelId, topic }: Omit<TopicPolicy, 'policy'>,
): VisibilityPolicy {
  return topics.find((setting) => isTopic(setting, channelId, topic))?.policy ?? visibilityPolicies.none;
}

/** @throws ApplicationError for oneself, for somebody who is muted already, and for too many */
export function decideMutePerson(
  { mutedPeople }: Attention,
  mutedUserId: number,
  { userId }: Oneself,
): readonly AttentionEvent[] {
  if (mutedUserId === userId) throw failure('cannotMuteSelf');
  if (mutedPeople.some((muted) => muted.userId === mutedUserId)) {
    throw failure('userAlreadyMuted');
  }
  if (mutedPeople.length >= budgets.mutedPeople.max) throw failure('tooManyMutedPeople');
  return [{ type: 'PersonMuted', data: { userId, mutedUserId } }];
}

/** @throws ApplicationError for somebody who is not muted */
export function decideUnmutePerson(
  { mutedPeople }: Attention,
  mutedUserId: number,
  { userId }: Oneself,
): readonly AttentionEvent[] {
  if (!mutedPeople.some((muted) => muted.userId === mutedUserId)) {
    throw failure('userNotMuted');
  }
  return [{ type: 'PersonUnmuted', data: { userId, mutedUserId } }];
}

/** The account that adds alert words. */
interface Listener extends Oneself {
  readonly isBot: boolean;
}

/** Maximum length of an alert word, in code points. */
const MAX_ALERT_WORD_LENGTH = 100;

/**
 * Words are trimmed; blank ones and existing ones, ignoring case, are left out.
 *
 * @throws ApplicationError for a word that is too long, and for too many
 */
export function decideAddAlertWords(
  { alertWords }: Attention,
  given: readonly string[],
  { userId, isBot }: Listener,
): readonly AttentionEvent[] {
  const known = new Set(alertWords.map(foldCase));
  const words: string[] = [];
  for (const word of given.map((one) => one.trim())) {
    if (isLongerThan(word, MAX_ALERT_WORD_LENGTH)) throw failure('alertWordTooLong');
    if (word === '' || known.has(foldCase(word))) continue;
    known.add(foldCase(word));
    words.push(word);
  }
  if (words.length === 0) return [];
  const { max } = isBot ? budgets.alertWordsOfBot : budgets.alertWords;
  if (known.size > max) throw failure('tooManyAlertWords');
  return [{ type: 'AlertWordsAdded', data: { userId, words } }];
}

/** Words that do not exist are ignored. */
export function decideRemoveAlertWords(
  { alertWords }: Attention,
  given: readonly string[],
  { userId }: Oneself,
): readonly AttentionEvent[] {
  const named = new Set(given.map((word) => foldCase(word.trim())));
  const words = alertWords.filter((word) => named.has(foldCase(word)));
  return words.length === 0 ? [] : [{ type: 'AlertWordsRemoved', data: { userId, words } }];
}
