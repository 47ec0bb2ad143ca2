import type { Channel } from '../../access/records/channel.js';
import type { Snapshot } from '../../access/snapshot.js';
import { mayMentionMany } from '../../access/conversation-permissions.js';
import { hasMetadataAccess } from '../../access/channel-permissions.js';
import { membersOf } from '../../access/membership.js';
import { mayMentionGroup } from '../../access/people-permissions.js';
import { customEmojiNamed, customEmojiUrl } from '../../access/records/custom-emoji.js';
import { failure } from '../../kernel/errors.js';
import { topicKey } from '../../events/values/message-text.js';
import { topicDocumentId } from './conversation-documents.js';
import { knowsEveryone, type Knows } from '../users/known-people.js';
import { placeIn } from '../uploads/upload-path.js';
import type { User } from '../../access/records/user.js';
import type { Mentions, Recipient } from '../../events/messages.js';
import type { RenderReferences } from '../../markdown/references.js';
import { refuseUnrenderable } from '../../markdown/render.js';
import { isOverBudget } from '../../markdown/render-budget.js';
import {
  findReferences,
  resolveReferences,
  type ReferenceLookup,
} from '../../markdown/resolve-references.js';

/** Who writes what to whom. */
export interface Writing {
  readonly snapshot: Snapshot;
  readonly sender: User;
  readonly recipient: Recipient;
  /** Who wrote or reacted in the topic so far; nobody where the text mentions no topic as a whole. */
  readonly topicParticipantIds: readonly number[];
  /** Ids of the uploads that the text names and that the sender may see, by where they are: see `placesOf`. */
  readonly uploads: ReadonlyMap<string, number>;
  /** What {@link newestInLinkedTopics} finds for the text; absent: links to topics name no message. */
  readonly topicMessages?: ReadonlyMap<string, number>;
  /** Whom the sender may know: only they can be mentioned. Absent: everyone. */
  readonly knows?: Knows;
}

/** What of a {@link Writing} decides what the names in a text mean. */
type Naming = Pick<Writing, 'snapshot' | 'sender' | 'uploads' | 'topicMessages' | 'knows'>;

/** For what names no uploads. */
export const noUploads: ReadonlyMap<string, number> = new Map();

/** A text with what its names mean at this moment, as an event carries it. */
export interface ComposedText {
  readonly content: string;
  readonly references: RenderReferences;
  readonly mentions: Mentions;
}

/** More people than this make a mention of everyone a matter of permission (facts, section 2). */
const wildcardMentionLimit = 15;

/**
 * Resolves the names in a text for the one who writes it.
 *
 * @throws ApplicationError when they may not mention everyone, or a group, that the text mentions; `unrenderableText` when
 * rendering it costs more than it may
 */
export function composeText(content: string, writing: Writing): ComposedText {
  const candidates = findReferences(content);
  const { references, mentioned } = resolveReferences(candidates, lookupFor(writing));
  refuseUnrenderable(content, references);
  const { snapshot, sender, recipient } = writing;
  const groups = mentioned.groupIds.map((groupId) => ({ groupId, userIds: membersOf(snapshot, groupId) }));
  const inChannel = recipient.type === 'channel';
  const topicWildcard = inChannel && mentioned.topicWildcard;
  const topicParticipantIds = participantsWith(writing);
  if (inChannel && mentioned.channelWildcard) refuseChannelWildcard(snapshot, sender, recipient.channelId);
  if (topicWildcard) refuseTopicWildcard(writing, topicParticipantIds);
  for (const groupId of mentioned.groupIds) refuseGroupMention(snapshot, sender, groupId);
  return {
    content,
    references,
    mentions: {
      userIds: [...mentioned.userIds],
      groups,
      channelWildcard: inChannel && mentioned.channelWildcard,
      topicWildcard,
      ...(topicWildcard && { topicParticipantIds }),
    },
  };
}

/** The same for what the server itself says: it always may, and what is too much to render is shown as plain text. */
export function composeNotice(content: string, writing: Writing): ComposedText {
  try {
    return composeText(content, writing);
  } catch (error) {
    if (!isOverBudget(error)) throw error;
    const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
    return { content, references: {}, mentions };
  }
}

function refuseChannelWildcard(snapshot: Snapshot, sender: User, channelId: number): void {
  const isLarge = snapshot.directory.subscriberIds(channelId).length > wildcardMentionLimit;
  if (isLarge && !mayMentionMany(snapshot, sender)) throw failure('channelWildcardNotAllowed');
}

/** With the text, its writer takes part too. */
function participantsWith({ sender, topicParticipantIds }: Writing): number[] {
  return [...new Set([...topicParticipantIds, sender.id])].sort((a, b) => a - b);
}

function refuseTopicWildcard({ snapshot, sender }: Writing, participantIds: readonly number[]): void {
  if (participantIds.length > wildcardMentionLimit && !mayMentionMany(snapshot, sender)) {
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

/** The server's own bots speak of whatever they are made to speak of. */
function knows(snapshot: Snapshot, sender: User, channel: Channel): boolean {
  return sender.bot?.isSystem === true || hasMetadataAccess(snapshot, sender, channel);
}

/** What the names in a text mean to the one who writes it, whomever they write to. */
export function referencesIn(content: string, writing: Naming): RenderReferences {
  return resolveReferences(findReferences(content), lookupFor(writing)).references;
}

function lookupFor({
  snapshot,
  sender,
  uploads,
  topicMessages,
  knows: knowsPerson = knowsEveryone,
}: Naming): ReferenceLookup {
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
      return channel !== null && knows(snapshot, sender, channel) ? channel : null;
    },
    newestInTopic: (channelId, topic) =>
      topicMessages?.get(topicDocumentId(channelId, topicKey(topic))) ?? null,
  };
}
