import { LRUCache } from 'lru-cache';
import type { Directory } from '../../../access/directory.js';
import { apiEmail } from '../../../access/email-visibility.js';
import type { Channel } from '../../../access/records/channel.js';
import type { Linkifiers } from '../../../access/records/linkifiers.js';
import type { User } from '../../../access/records/user.js';
import { shownTopic } from '../../../events/values/message-text.js';
import { Attachment } from '../../../kernel/attachment.js';
import { findTopicLinks } from '../../../markdown/linkify.js';
import { avatarUrl } from '../../users/avatar.js';
import { unknownSender } from '../../users/users.view.js';
import type { MessageDocument } from '../message-document.js';
import { commonMembers, reactionMember, type CachedMessage } from './cached-message.js';
import { editHistoryMember, type HistoryEntry } from './edit-history.js';
import { flagsOf, type MessageFormat, type Reader } from './flags.js';
import { jsonMembersOf } from '../../../kernel/json.js';
import { reactingUser } from './reacting-user.js';

/**
 * Links by topic, for each state of the linkifiers: that object is replaced when anything about them changes.
 */
const known = new WeakMap<Linkifiers, LRUCache<string, string>>();

/** The links of a topic as JSON text, by the present linkifiers. */
function topicLinks(topic: string | null, linkifiers: Linkifiers): string {
  if (topic === null || topic === '') return '[]';
  let found = known.get(linkifiers);
  if (found === undefined) known.set(linkifiers, (found = new LRUCache({ max: 5_000 })));
  let links = found.get(topic);
  if (links === undefined) {
    links = JSON.stringify(findTopicLinks(topic, linkifiers.linkifiers));
    found.set(topic, links);
  }
  return links;
}

/**
 * A message as JSON for one reader. The common part was serialized before; names of people are the present
 * ones.
 */
export function writeMessage(
  message: CachedMessage,
  reader: Reader,
  history: readonly HistoryEntry[],
): string {
  const sender = reader.snapshot.directory.user(message.document.senderId);
  const hidesSender = sender !== null && !reader.knows(sender);
  const format = hidesSender ? { ...reader, hidesSender } : reader;
  const isNamed = reader.namesReactingUsers === true && message.document.reactions.length > 0;
  const shared = isNamed ? putTogether(withNames(message, reader), format) : sharedText(message, format);
  const flags = flagsOf(message.document, reader);
  const own = flags.length === 0 ? '' : `"${flags.join('","')}"`;
  if (history.length === 0) return `${shared},"flags":[${own}]}`;
  const entries = editHistoryMember(history, (topic) => shownTopic(topic, reader));
  return `${shared},"flags":[${own}],"edit_history":${JSON.stringify(entries)}}`;
}

/** The message with the names of those who reacted. It is not cached: names change, and some readers may not know them. */
function withNames(message: CachedMessage, { snapshot: { directory }, knows }: Reader): CachedMessage {
  const common = commonMembers(message.document, (reaction) => {
    const { userId } = reaction;
    const user = directory.user(userId);
    const isKnown = user === null || knows(user);
    return { ...reactionMember(reaction), user: { id: userId, ...reactingUser(userId, directory, isKnown) } };
  });
  return { ...message, common };
}

/** The reader's form and snapshot: all that {@link sharedText} depends on. */
interface Format extends MessageFormat, Pick<Reader, 'snapshot'> {
  /** Whether the reader may not know the sender; absent: they may. */
  readonly hidesSender?: boolean;
}

/** A {@link Format} without the snapshot, and without what is not cached. */
type Form = Required<Omit<Format, 'snapshot' | 'namesReactingUsers'>>;

interface SharedText {
  /** The {@link Directory.state} that it was made from. */
  readonly state: object;
  readonly form: Form;
  readonly text: string;
}

const lastShared = new Attachment<CachedMessage, SharedText>();

/**
 * A message's JSON up to its flags, without the closing brace. It is the same for everyone who requests the same form,
 * and most readers request the same one, so the last text is cached until anything in the directory changes.
 */
export function sharedText(message: CachedMessage, format: Format): string {
  const { state } = format.snapshot.directory;
  const last = lastShared.get(message);
  if (last?.state === state && isSameForm(last.form, format)) return last.text;
  const text = putTogether(message, format);
  const { applyMarkdown, clientGravatar, allowEmptyTopicName, hidesSender = false } = format;
  lastShared.set(message, {
    state,
    form: { applyMarkdown, clientGravatar, allowEmptyTopicName, hidesSender },
    text,
  });
  return text;
}

function isSameForm(one: Form, other: Format): boolean {
  return (
    one.applyMarkdown === other.applyMarkdown &&
    one.clientGravatar === other.clientGravatar &&
    one.allowEmptyTopicName === other.allowEmptyTopicName &&
    one.hidesSender === (other.hidesSender ?? false)
  );
}

function putTogether({ document, common, html, markdown }: CachedMessage, format: Format): string {
  const { directory } = format.snapshot;
  const user = directory.user(document.senderId);
  const sender = user === null ? NO_SENDER : senderMembers(directory, user, format);
  const content = format.applyMarkdown ? html : markdown;
  const subject = JSON.stringify(subjectOf(document, format));
  const topic = `"subject":${subject},"topic_links":${topicLinks(document.topic, directory.linkifiers)}`;
  return `{${common},${content},${topic},${sender},"display_recipient":${displayRecipient(document, format)}`;
}

function subjectOf({ topic }: MessageDocument, format: MessageFormat): string {
  return topic === null ? '' : shownTopic(topic, format);
}

const NO_SENDER = '"sender_full_name":"","sender_email":"","sender_realm_str":"","avatar_url":null';

interface SenderTexts {
  readonly email: string;
  readonly plain: string;
  readonly withoutAvatar: string;
}

/**
 * Keyed by the user record, which is replaced when anything about the user changes except whether their
 * address is shown.
 */
const cachedSenders = new WeakMap<User, SenderTexts>();

function senderMembers(
  directory: Directory,
  sender: User,
  { clientGravatar, hidesSender = false }: Format,
): string {
  if (hidesSender) return hiddenSender(sender);
  let texts = cachedSenders.get(sender);
  const email = apiEmail(directory, sender);
  if (texts?.email !== email) {
    const word = (computed: boolean): string => wordSender(directory, sender, computed);
    texts = { email, plain: word(false), withoutAvatar: word(true) };
    cachedSenders.set(sender, texts);
  }
  return clientGravatar ? texts.withoutAvatar : texts.plain;
}

function hiddenSender({ id }: User): string {
  const { fullName, email, avatarUrl: avatar_url } = unknownSender(id);
  const members = { sender_full_name: fullName, sender_email: email, sender_realm_str: '', avatar_url };
  return jsonMembersOf(members);
}

/** The realm of the server's own bots; clients of this API expect exactly this name. */
const SERVER_REALM = 'zulipinternal';

function wordSender(directory: Directory, sender: User, clientGravatar: boolean): string {
  const members = {
    sender_full_name: sender.fullName,
    sender_email: apiEmail(directory, sender),
    sender_realm_str: sender.bot?.isSystem === true ? SERVER_REALM : '',
    avatar_url: avatarUrl(directory, sender, clientGravatar),
  };
  return jsonMembersOf(members);
}

const cachedChannels = new WeakMap<Channel, string>();

function displayRecipient(document: MessageDocument, { snapshot: { directory } }: Format): string {
  if (document.channelId === null) {
    const people = (document.participantIds ?? []).flatMap((id) => directory.user(id) ?? []);
    return JSON.stringify(people.map((user) => recipientOf(directory, user)).sort(byEmail));
  }
  const channel = directory.channel(document.channelId);
  if (channel === null) return '""';
  let words = cachedChannels.get(channel);
  if (words === undefined) {
    words = JSON.stringify(channel.name);
    cachedChannels.set(channel, words);
  }
  return words;
}

interface ShownRecipient {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
  readonly is_mirror_dummy: false;
}

function byEmail(a: ShownRecipient, b: ShownRecipient): number {
  return a.email < b.email ? -1 : 1;
}

function recipientOf(directory: Directory, user: User): ShownRecipient {
  return {
    id: user.id,
    email: apiEmail(directory, user),
    full_name: user.fullName,
    is_mirror_dummy: false,
  };
}
