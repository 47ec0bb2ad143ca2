import type { UploadedMedia } from './media.js';

/**
 * What the names in a text resolved to when it was written. It is plain JSON, stored with the text and compact: whatever
 * is empty is left out, so most texts carry `{}`.
 */
export interface RenderReferences {
  /** People mentioned. Where several share a name, the first of them is who the bare name means. */
  readonly users?: readonly UserReference[];
  readonly groups?: readonly GroupReference[];
  /** Channels linked to, alone or with a topic. */
  readonly channels?: readonly ChannelReference[];
  /** Topics linked to that had messages which the writer could see. */
  readonly topics?: readonly TopicReference[];
  /** Custom emoji by name. */
  readonly emoji?: Readonly<Record<string, EmojiReference>>;
  /** Texts that a linkifier matched, in the order of the linkifiers, with the address each one became. */
  readonly linkified?: readonly LinkifiedText[];
  /** Ids of the uploads that it links to and that its writer may see. */
  readonly uploads?: readonly number[];
  /** Whether `:)` and its like become emoji: the sender's own setting. */
  readonly translateEmoticons?: true;
  /** The language of code blocks that name none, where the organization has one. */
  readonly codeLanguage?: string;
  /** Where the organization does not want to be shown the pictures that texts link to. */
  readonly withoutPreviews?: true;
}

/** A person as named at the time; a deactivated one is mentioned silently. */
export interface UserReference {
  readonly id: number;
  readonly name: string;
  readonly deactivated?: true;
}

/** A user group as named at the time; a deactivated one is mentioned silently. */
export interface GroupReference {
  readonly id: number;
  readonly name: string;
  readonly deactivated?: true;
}

/** A channel as named at the time. */
export interface ChannelReference {
  readonly id: number;
  readonly name: string;
}

/** A topic as a text names it, and the newest message in it at the time that the writer could see. */
export interface TopicReference {
  readonly channelId: number;
  readonly topic: string;
  readonly messageId: number;
}

/** What a link to a topic leads to. */
export interface LinkedTopic {
  readonly channel: ChannelReference;
  /** A message by which clients find the topic though it was renamed; undefined: none is known. */
  readonly messageId: number | undefined;
}

/** A custom emoji and the address of its image. */
export interface EmojiReference {
  readonly id: string;
  readonly url: string;
}

/** A text and the address that it links to. */
export interface LinkifiedText {
  readonly text: string;
  readonly url: string;
}

/** Texts to look up, in their order: the earlier wins over the later. */
export interface LinkifiedTexts {
  /** Of each text its place in {@link urls}. */
  readonly texts: ReadonlyMap<string, number>;
  /** Safe addresses. */
  readonly urls: readonly string[];
  /** The lengths of the texts, each once. */
  readonly lengths: readonly number[];
}

/** Words that mention everyone subscribed to the channel (or everyone in the direct message). */
export const channelWildcards: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream']);

/** The word that mentions everyone who took part in the topic. */
export const topicWildcard = 'topic';

/** What a mention of a person says: a name, an id, or both, which must then belong together. */
export interface UserQuery {
  readonly name?: string;
  readonly id?: number;
}

/** Where the passes over a text look names up. */
export interface ReferenceSource {
  user(query: UserQuery, occurrence: Occurrence): UserReference | undefined;
  group(name: string, occurrence: Occurrence): GroupReference | undefined;
  channel(name: string): ChannelReference | undefined;
  topic(channelName: string, topic: string): LinkedTopic | undefined;
  emoji(name: string): EmojiReference | undefined;
  /** What is known of the upload at an address; undefined: it is no upload that the writer could see. */
  media(url: string): UploadedMedia | undefined;
  /** Told of every mention of everyone in the channel, or in the topic. */
  wildcard(scope: 'channel' | 'topic', occurrence: Occurrence): void;
  readonly linkified: LinkifiedTexts;
  readonly translateEmoticons: boolean;
  /** Empty: none. */
  readonly codeLanguage: string;
}

/** How a name stands in the text. */
export interface Occurrence {
  /** Written with `@_`, or within a quotation: nobody is told. */
  readonly silent: boolean;
}
