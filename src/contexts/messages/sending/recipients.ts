import { policyByActivity, topicActivities } from '../../attention/topic-visibility.js';
import type { Channel } from '../../../access/records/channel.js';
import { hasMetadataAccess, mayCreateTopic, maySendTo } from '../../../access/channel-permissions.js';
import { mayStartConversation, permitsConversation } from '../../../access/conversation-permissions.js';
import { apiEmail } from '../../../access/email-visibility.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import { sortedIds } from '../../../kernel/ids.js';
import { defaultsOf, type User } from '../../../access/records/user.js';
import type { ComposingContext } from './compose-text.js';
import { knowsEveryone } from '../../../access/known-people.js';
import type { Recipient } from '../../../events/messages.js';
import { normalizeTopic } from '../../../events/values/message-text.js';

/**
 * The addressee of a request: a channel by id or name, or else the sender's default channel; or people by ids
 * or by addresses.
 */
export type Addressee =
  | { readonly type: 'channel'; readonly channel: number | string | null; readonly topic: string }
  | { readonly type: 'direct'; readonly people: readonly number[] | readonly string[] };

/** What the decision to send depends on beside the request. */
export interface SendFacts extends ComposingContext {
  /** Whether no message exists there yet; false too where {@link mattersWhetherNew} is. */
  readonly isNewConversation: boolean;
}

interface Lookup {
  readonly snapshot: Snapshot;
  readonly sender: User;
  readonly userByEmail: (email: string) => User | null;
}

/**
 * Refuses a direct conversation of too many people.
 *
 * @throws ApplicationError `tooManyRecipients`
 */
export function refuseTooManyPeople({ length }: readonly unknown[]): void {
  if (length > budgets.peopleOfConversation.max) throw failure('tooManyRecipients');
}

/**
 * Looks up the addressee of a request.
 *
 * @throws ApplicationError when there is no such channel or account, and `tooManyRecipients`
 */
export function resolveRecipient(to: Addressee, lookup: Lookup): Recipient {
  if (to.type === 'channel') {
    return {
      type: 'channel',
      channelId: namedChannel(to.channel, lookup).id,
      topic: normalizeTopic(to.topic),
    };
  }
  if (to.people.length === 0) throw failure('recipientsRequired');
  const people = [...new Set<number | string>(to.people)];
  refuseTooManyPeople(people);
  const ids = people.map((person) => namedUser(person, lookup).id);
  const userIds = sortedIds([...ids, lookup.sender.id]);
  refuseTooManyPeople(userIds);
  return { type: 'direct', userIds };
}

function namedChannel(named: number | string | null, { snapshot, sender }: Lookup): Channel {
  const name = named ?? defaultsOf(sender).sendingChannelId;
  if (name === null) throw failure('missingParameter', { var_name: 'to' });
  if (typeof name === 'number') {
    const channel = snapshot.directory.channel(name);
    if (!mayAddress(snapshot, sender, channel)) throw failure('unknownChannelId', { stream_id: name });
    return channel;
  }
  const channel = snapshot.directory.channelByName(name);
  if (!mayAddress(snapshot, sender, channel)) throw failure('unknownChannelName', { stream: name });
  return channel;
}

/** Whether the channel exists for the sender: they may send to it, or at least know of it. */
function mayAddress(snapshot: Snapshot, sender: User, channel: Channel | null): channel is Channel {
  if (channel === null) return false;
  return maySendTo(snapshot, sender, channel) || hasMetadataAccess(snapshot, sender, channel);
}

function namedUser(name: number | string, { snapshot, userByEmail }: Lookup): User {
  const user = typeof name === 'number' ? snapshot.directory.user(name) : userByEmail(name);
  if (user === null) {
    throw typeof name === 'number'
      ? failure('invalidUserId', { reason: name })
      : failure('invalidRecipientEmail', { reason: name });
  }
  return user;
}

/**
 * Whether the decision depends on the conversation being new: for people who may not begin topics or
 * conversations, and for those who follow the topics that they begin.
 */
export function mattersWhetherNew({
  snapshot,
  sender,
  recipient,
}: Omit<ComposingContext, 'topicParticipantIds' | 'uploads'>): boolean {
  if (recipient.type === 'direct') {
    return !mayStartConversation(snapshot, sender, peopleIn(recipient.userIds, snapshot));
  }
  const channel = snapshot.directory.channel(recipient.channelId);
  if (channel === null) return false;
  return !mayCreateTopic(snapshot, sender, channel) || followsWhatItStarts({ snapshot, sender, recipient });
}

function followsWhatItStarts({
  snapshot,
  sender,
  recipient,
}: Omit<ComposingContext, 'topicParticipantIds' | 'uploads'>): boolean {
  if (recipient.type !== 'channel') return false;
  const active = { directory: snapshot.directory, user: sender, channelId: recipient.channelId };
  return (
    policyByActivity(active, topicActivities.starting) !== policyByActivity(active, topicActivities.writing)
  );
}

/** The facts that decide whether a person may send to a place at all. */
type SendingFacts = Pick<SendFacts, 'snapshot' | 'sender' | 'recipient' | 'isNewConversation' | 'knows'>;

/**
 * Refuses to send to a place that the person may not send to. This is the only check of that.
 *
 * @throws ApplicationError when they may not
 */
export function refuseRecipient(facts: SendingFacts): void {
  const { recipient } = facts;
  switch (recipient.type) {
    case 'channel':
      refuseChannel(facts, recipient);
      return;
    case 'direct':
      refuseConversation(facts, recipient.userIds);
  }
}

function refuseChannel(
  { snapshot, sender, isNewConversation }: SendingFacts,
  { channelId, topic }: Extract<Recipient, { type: 'channel' }>,
): void {
  const channel = snapshot.directory.channel(channelId);
  if (!mayAddress(snapshot, sender, channel)) {
    throw failure('unknownChannelId', { stream_id: channelId });
  }
  if (!maySendTo(snapshot, sender, channel)) {
    throw failure('channelPostNotAllowed', { reason: channel.name });
  }
  refuseTopic(channel, topic, snapshot);
  if (isNewConversation && !mayCreateTopic(snapshot, sender, channel)) {
    throw failure('newTopicNotAllowed');
  }
}

/**
 * Refuses a topic where the channel does not allow it: channels may require or forbid topics.
 *
 * @throws ApplicationError when the topic is not allowed in this channel
 */
export function refuseTopic(channel: Channel, topic: string, { directory }: Snapshot): void {
  const policy =
    channel.topicsPolicy === 'inherit'
      ? directory.organization?.settings.topics_policy
      : channel.topicsPolicy;
  if (topic === '' && policy === 'disable_empty_topic') {
    throw failure('topicRequired');
  }
  if (topic !== '' && policy === 'empty_topic_only') {
    throw failure('onlyEmptyTopicAllowed');
  }
}

function refuseConversation(
  { snapshot, sender, isNewConversation, knows = knowsEveryone }: SendingFacts,
  userIds: readonly number[],
): void {
  refuseTooManyPeople(userIds);
  const people = peopleIn(userIds, snapshot);
  if (!people.every(knows)) throw failure('recipientNotKnown');
  const gone = people.find(({ isActive }) => !isActive);
  if (gone !== undefined)
    throw failure('recipientDeactivated', { reason: apiEmail(snapshot.directory, gone) });
  if (!permitsConversation(snapshot, sender, people)) {
    throw failure('directMessageNotAllowed');
  }
  if (isNewConversation && !mayStartConversation(snapshot, sender, people)) {
    throw failure('newConversationNotAllowed');
  }
}

function peopleIn(userIds: readonly number[], { directory }: Snapshot): User[] {
  return userIds.flatMap((id) => directory.user(id) ?? []);
}
