import { linkify, type Linkifier } from './linkify.js';
import { parseMessage } from './parse-message.js';
import { ReferenceRecorder, type ReferenceCandidates } from './reference-candidates.js';
import type {
  ChannelReference,
  EmojiReference,
  GroupReference,
  RenderReferences,
  TopicReference,
  UserReference,
} from './references.js';
import { sortedIds } from '../kernel/ids.js';

/** Looks up names on behalf of the writer: only what the writer may know of is found. Null means not found. */
export interface ReferenceLookup {
  userById(id: number): MentionableUser | null;
  /** All accounts with that name, ignoring case. A bare mention means the first active one, or else the first. */
  usersByName(name: string): Iterable<MentionableUser>;
  groupByName(name: string): MentionableGroup | null;
  channelByName(name: string): LinkableChannel | null;
  /** The newest message of a topic that the writer can see; absent: it is not looked up. */
  newestInTopic?(channelId: number, topic: string): number | null;
  /** Absent: there are no custom emoji. */
  customEmojiByName?(name: string): EmojiReference | null;
  /** The id of the upload at an address; absent: there are no uploads. */
  uploadAt?(address: string): number | null;
  /** In order of precedence; absent: there are none. */
  readonly linkifiers?: readonly Linkifier[];
  /** The sender's setting; absent: false. */
  readonly translateEmoticons?: boolean;
  /** The organization's language for code blocks; absent: none. */
  readonly codeLanguage?: string;
  /** The organization's setting whether linked images are previewed; absent: true. */
  readonly showsPreviews?: boolean;
}

interface MentionableUser {
  readonly id: number;
  readonly fullName: string;
  readonly isActive: boolean;
}

interface MentionableGroup {
  readonly id: number;
  readonly name: string;
  /** A system group can only be mentioned silently. */
  readonly isSystem: boolean;
  readonly isDeactivated: boolean;
}

interface LinkableChannel {
  readonly id: number;
  readonly name: string;
}

/** Whom a text mentions, without silent mentions, quotations and code. Ids are in increasing order. */
export interface MentionedInText {
  readonly userIds: readonly number[];
  readonly groupIds: readonly number[];
  /** All people of the channel or of the direct message. */
  readonly channelWildcard: boolean;
  /** All participants of the topic. */
  readonly topicWildcard: boolean;
}

/** The result of resolving a text's names. */
interface ResolvedNames {
  /** Stored with the text. */
  readonly references: RenderReferences;
  readonly mentioned: MentionedInText;
}

const mayHoldNames = /@_?\*|#\*\*|:[^\s:]+:|\/user_uploads\//;

/** Finds the names in a text that must be looked up before it is stored. It costs next to nothing when there are none. */
export function findReferences(content: string): ReferenceCandidates {
  const recorder = new ReferenceRecorder();
  const links = mayHoldNames.test(content) ? parseMessage(content, recorder).links : [];
  return recorder.candidates(
    content,
    links.map(({ link }) => link.url),
  );
}

/** Looks up the names. */
export function resolveReferences(candidates: ReferenceCandidates, lookup: ReferenceLookup): ResolvedNames {
  const users = resolveUsers(candidates, lookup);
  const groups = resolveGroups(candidates, lookup);
  const channels = resolveChannels(candidates, lookup);
  const topics = resolveTopics(candidates, channels, lookup);
  const emoji = resolveEmoji(candidates, lookup);
  const uploads = resolveUploads(candidates, lookup);
  const linkified = linkify(candidates.content, lookup.linkifiers ?? []);
  return {
    references: {
      ...(users.length > 0 && { users: distinct(users).map(userReference) }),
      ...(groups.length > 0 && { groups: distinct(groups).map(groupReference) }),
      ...(channels.length > 0 && { channels }),
      ...(topics.length > 0 && { topics }),
      ...(Object.keys(emoji).length > 0 && { emoji }),
      ...(linkified.length > 0 && { linkified }),
      ...(uploads.length > 0 && { uploads }),
      ...(lookup.translateEmoticons === true && { translateEmoticons: true }),
      ...codeLanguageOf(candidates, lookup),
      ...(lookup.showsPreviews === false && { withoutPreviews: true }),
    },
    mentioned: {
      userIds: mentionedIds(users),
      groupIds: mentionedIds(groups),
      channelWildcard: candidates.mentionsChannel,
      topicWildcard: candidates.mentionsTopic,
    },
  };
}

/** Only code blocks have a language. */
function codeLanguageOf(
  { content }: ReferenceCandidates,
  { codeLanguage = '' }: ReferenceLookup,
): Pick<RenderReferences, 'codeLanguage'> {
  return codeLanguage !== '' && /```|~~~/.test(content) ? { codeLanguage } : {};
}

interface Resolved<Named> {
  readonly named: Named;
  readonly silent: boolean;
}

/** People meant by their bare name come first: the renderer relies on this when several share a name. */
function resolveUsers(
  { users }: ReferenceCandidates,
  lookup: ReferenceLookup,
): readonly Resolved<MentionableUser>[] {
  const [byName, byId] = [
    users.filter(({ id }) => id === undefined),
    users.filter(({ id }) => id !== undefined),
  ];
  return [...byName, ...byId].flatMap(({ id, name, silent }) => {
    const user = id === undefined ? userNamed(name ?? '', lookup) : userWithId(id, name, lookup);
    return user === null ? [] : [{ named: user, silent: silent || !user.isActive }];
  });
}

function userNamed(name: string, lookup: ReferenceLookup): MentionableUser | null {
  const users = [...lookup.usersByName(name)];
  return users.find(({ isActive }) => isActive) ?? users[0] ?? null;
}

function userWithId(id: number, name: string | undefined, lookup: ReferenceLookup): MentionableUser | null {
  const user = lookup.userById(id);
  return name === undefined || user?.fullName === name ? user : null;
}

function resolveGroups(
  { groups }: ReferenceCandidates,
  lookup: ReferenceLookup,
): readonly Resolved<MentionableGroup>[] {
  return groups.flatMap(({ name, silent }) => {
    const group = lookup.groupByName(name);
    if (group?.name !== name) return [];
    return [{ named: group, silent: silent || group.isDeactivated }];
  });
}

function resolveChannels(
  { channels }: ReferenceCandidates,
  lookup: ReferenceLookup,
): readonly ChannelReference[] {
  return channels.flatMap((name) => {
    const channel = lookup.channelByName(name);
    return channel?.name === name ? [{ id: channel.id, name }] : [];
  });
}

function resolveTopics(
  { topics }: ReferenceCandidates,
  channels: readonly ChannelReference[],
  lookup: ReferenceLookup,
): readonly TopicReference[] {
  return topics.flatMap(({ channelName, topic }) => {
    const channel = channels.find(({ name }) => name === channelName);
    const messageId = channel === undefined ? null : (lookup.newestInTopic?.(channel.id, topic) ?? null);
    return channel === undefined || messageId === null ? [] : [{ channelId: channel.id, topic, messageId }];
  });
}

function resolveEmoji(
  { emoji }: ReferenceCandidates,
  lookup: ReferenceLookup,
): Record<string, EmojiReference> {
  const resolved: Record<string, EmojiReference> = {};
  for (const name of emoji) {
    const custom = lookup.customEmojiByName?.(name) ?? null;
    if (custom !== null) resolved[name] = { id: custom.id, url: custom.url };
  }
  return resolved;
}

function resolveUploads({ addresses }: ReferenceCandidates, lookup: ReferenceLookup): readonly number[] {
  const found = addresses.flatMap((address) => lookup.uploadAt?.(address) ?? []);
  return sortedIds(found);
}

function userReference({ id, fullName, isActive }: MentionableUser): UserReference {
  return isActive ? { id, name: fullName } : { id, name: fullName, deactivated: true };
}

function groupReference({ id, name, isDeactivated }: MentionableGroup): GroupReference {
  return isDeactivated ? { id, name, deactivated: true } : { id, name };
}

/** Removes duplicates, in the order of first occurrence. */
function distinct<Named extends { readonly id: number }>(
  resolved: readonly Resolved<Named>[],
): readonly Named[] {
  return [...new Map(resolved.map(({ named }) => [named.id, named])).values()];
}

function mentionedIds(resolved: readonly Resolved<{ readonly id: number }>[]): readonly number[] {
  const aloud = resolved.filter(({ silent }) => !silent).map(({ named }) => named.id);
  return sortedIds(aloud);
}
