import type { Channel } from '../../../access/records/channel.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { mayMentionMany } from '../../../access/conversation-permissions.js';
import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import { membersOf } from '../../../access/membership.js';
import { mayMentionGroup } from '../../../access/people-permissions.js';
import { customEmojiNamed, customEmojiUrl } from '../../../access/records/custom-emoji.js';
import { failure } from '../../../kernel/errors.js';
import { sortedIds } from '../../../kernel/ids.js';
import { topicKey } from '../../../events/values/message-text.js';
import { topicDocumentId } from '../conversation-documents.js';
import { knowsEveryone, type Knows } from '../../../access/known-people.js';
import { placeIn } from '../../uploads/upload-path.js';
import type { User } from '../../../access/records/user.js';
import type { Mentions, Recipient } from '../../../events/messages.js';
import type { RenderReferences } from '../../../markdown/references.js';
import { refuseUnrenderable } from '../../../markdown/render.js';
import { isOverBudget } from '../../../markdown/render-budget.js';
import {
  findReferences,
  resolveReferences,
  type ReferenceLookup,
} from '../../../markdown/resolve-references.js';

/** A text with its writer and what is needed to resolve the names in it. */
export interface ComposingContext {
  readonly snapshot: Snapshot;
  readonly sender: User;
  readonly recipient: Recipient;
  /**
   * Ids of the people who wrote or reacted in the topic so far; empty where the text does not mention a whole
   * topic.
   */
  readonly topicParticipantIds: readonly number[];
  /** Ids of the uploads that the text names and that the sender may see, by their path: see `placesOf`. */
  readonly uploads: ReadonlyMap<string, number>;
  /** What {@link newestInLinkedTopics} finds for the text; absent: links to topics name no message. */
  readonly topicMessages?: ReadonlyMap<string, number>;
  /**
   * The person who wrote a text that the server sends on their behalf. Names in it are resolved with this person's
   * permissions. Absent: with those of the sender; the server's own bots may refer to any channel.
   */
  readonly author?: User;
  /** Whom the author may know: only these people can be mentioned. Absent: everyone. */
  readonly knows?: Knows;
}

/** The fields of a {@link ComposingContext} that decide what the names in a text mean. */
type ReferenceContext = Pick<
  ComposingContext,
  'snapshot' | 'sender' | 'author' | 'uploads' | 'topicMessages' | 'knows'
>;

/** For texts that name no uploads. */
export const noUploads: ReadonlyMap<string, number> = new Map();

/** A text with its resolved names, as an event carries it. */
export interface ComposedText {
  readonly content: string;
  readonly references: RenderReferences;
  readonly mentions: Mentions;
}

/** In a conversation with more people than this, mentioning everyone needs a permission. */
const WILDCARD_MENTION_LIMIT = 15;

/**
 * Resolves the names in a text for its writer.
 *
 * @throws ApplicationError when the text mentions everyone, or a group, and the writer may not;
 * `unrenderableText` when rendering it exceeds the budget
 */
export function composeText(content: string, context: ComposingContext): ComposedText {
  const candidates = findReferences(content);
  const { references, mentioned } = resolveReferences(candidates, lookupFor(context));
  refuseUnrenderable(content, references);
  const { snapshot, sender, recipient } = context;
  const groups = mentioned.groupIds.map((groupId) => ({ groupId, userIds: membersOf(snapshot, groupId) }));
  const inChannel = recipient.type === 'channel';
  const topicWildcard = inChannel && mentioned.topicWildcard;
  const topicParticipantIds = participantsWith(context);
  if (inChannel && mentioned.channelWildcard) refuseChannelWildcard(snapshot, sender, recipient.channelId);
  if (topicWildcard) refuseTopicWildcard(context, topicParticipantIds);
  for (const groupId of mentioned.groupIds) refuseGroupMention(snapshot, sender, groupId);
  return {
    content,
    references,
    mentions: {
      userIds: [...mentioned.userIds],
      groups,
      channelWildcard: mentioned.channelWildcard,
      topicWildcard,
      ...(topicWildcard && { topicParticipantIds }),
    },
  };
}

/**
 * Like {@link composeText} for texts of the server itself, which may mention anyone; a text that exceeds the
 * rendering budget is shown as plain text.
 */
export function composeNotice(content: string, context: ComposingContext): ComposedText {
  try {
    return composeText(content, context);
  } catch (error) {
    if (!isOverBudget(error)) throw error;
    const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
    return { content, references: {}, mentions };
  }
}

function refuseChannelWildcard(snapshot: Snapshot, sender: User, channelId: number): void {
  const isLarge = snapshot.directory.subscriberIds(channelId).length > WILDCARD_MENTION_LIMIT;
  if (isLarge && !mayMentionMany(snapshot, sender)) throw failure('channelWildcardNotAllowed');
}

/**
 * Ids of the participants of the topic, in rising order. The writer is included, because the text makes them a
 * participant.
 */
function participantsWith({ sender, topicParticipantIds }: ComposingContext): number[] {
  return sortedIds([...topicParticipantIds, sender.id]);
}

function refuseTopicWildcard(
  { snapshot, sender }: ComposingContext,
  participantIds: readonly number[],
): void {
  if (participantIds.length > WILDCARD_MENTION_LIMIT && !mayMentionMany(snapshot, sender)) {
    throw failure('topicWildcardNotAllowed');
  }
}

function refuseGroupMention(snapshot: Snapshot, sender: User, groupId: number): void {
  const group = snapshot.directory.group(groupId);
  if (group === null || sender.bot?.isSystem === true) return;
  if (!mayMentionGroup(snapshot, sender, group)) {
    throw failure('groupMentionNotAllowed', { reason: group.name });
  }
}

/** The server's own bots may name any channel. */
function knows(snapshot: Snapshot, author: User, channel: Channel): boolean {
  return author.bot?.isSystem === true || hasMetadataAccess(snapshot, author, channel);
}

/** What the names in a text mean to its writer, whoever receives the text. */
export function referencesIn(content: string, context: ReferenceContext): RenderReferences {
  return resolveReferences(findReferences(content), lookupFor(context)).references;
}

function lookupFor({
  snapshot,
  sender,
  author = sender,
  uploads,
  topicMessages,
  knows: knowsPerson = knowsEveryone,
}: ReferenceContext): ReferenceLookup {
  const { directory } = snapshot;
  const wanted = directory.organization?.settings;
  return {
    translateEmoticons: directory.settings.value(sender.id, 'translate_emoticons'),
    codeLanguage: wanted?.default_code_block_language ?? '',
    showsPreviews: wanted?.inline_image_preview ?? true,
    userById: (id) => {
      const user = directory.user(id);
      return user !== null && knowsPerson(user) ? user : null;
    },
    usersByName: (name) => [...directory.usersByName(name)].filter(knowsPerson),
    groupByName: (name) => directory.groupByName(name),
    linkifiers: directory.linkifiers.linkifiers,
    customEmojiByName: (name) => {
      const emoji = customEmojiNamed(directory.customEmoji, name);
      return emoji === null ? null : { id: String(emoji.emojiId), url: customEmojiUrl(emoji) };
    },
    uploadAt: (address) => uploads.get(placeIn(address) ?? '') ?? null,
    channelByName: (name) => {
      const channel = directory.channelByName(name);
      return channel !== null && knows(snapshot, author, channel) ? channel : null;
    },
    newestInTopic: (channelId, topic) =>
      topicMessages?.get(topicDocumentId(channelId, topicKey(topic))) ?? null,
  };
}
