import type { UploadedMedia } from './media.js';

/**
 * What the names in a text resolved to when it was written. It is plain JSON, stored with the text. Empty members are left out, so most
 * texts have `{}`.
 */
export interface RenderReferences {
  /** People mentioned. Of several with the same name, the first one is meant by the bare name. */
  readonly users?: readonly UserReference[];
  readonly groups?: readonly GroupReference[];
  /** Channels linked to, alone or with a topic. */
  readonly channels?: readonly ChannelReference[];
  /** Linked topics with messages that the writer could see. */
  readonly topics?: readonly TopicReference[];
  /** Custom emoji by name. */
  readonly emoji?: Readonly<Record<string, EmojiReference>>;
  /** Texts that linkifiers matched, in the order of the linkifiers, each with its address. */
  readonly linkified?: readonly LinkifiedText[];
  /** Ids of the linked uploads that the writer may see. */
  readonly uploads?: readonly number[];
  /** Whether emoticons such as `:)` become emoji: the sender's setting. */
  readonly translateEmoticons?: true;
  /** The language of code blocks that name none: the organization's setting; absent: none. */
  readonly codeLanguage?: string;
  /** Present where the organization's setting turns off previews of images. */
  readonly withoutPreviews?: true;
}

/** A person, with the name at that time. Deactivated people are mentioned silently. */
export interface UserReference {
  readonly id: number;
  readonly name: string;
  readonly deactivated?: true;
}

/** A user group, with the name at that time. Deactivated groups are mentioned silently. */
export interface GroupReference {
  readonly id: number;
  readonly name: string;
  readonly deactivated?: true;
}

/** A channel, with the name at that time. */
export interface ChannelReference {
  readonly id: number;
  readonly name: string;
}

/** A topic as written in the text, and its newest message at that time that the writer could see. */
export interface TopicReference {
  readonly channelId: number;
  readonly topic: string;
  readonly messageId: number;
}

/** The target of a link to a topic. */
export interface LinkedTopic {
  readonly channel: ChannelReference;
  /** A message by which clients find the topic after it was renamed; undefined: none is known. */
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

/** Texts to look up, in order of precedence. */
export interface LinkifiedTexts {
  /** The index of each text in {@link urls}. */
  readonly texts: ReadonlyMap<string, number>;
  /** Safe addresses. */
  readonly urls: readonly string[];
  /** The distinct lengths of the texts. */
  readonly lengths: readonly number[];
}

/** Words that mention all subscribers of the channel (or all participants of the direct message). */
export const channelWildcards: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream']);

/** The word that mentions all participants of the topic. */
export const TOPIC_WILDCARD = 'topic';

/** A mention of a person: a name, an id, or both, which must then match. */
export interface UserQuery {
  readonly name?: string;
  readonly id?: number;
}

/** Where the passes look up names. */
export interface ReferenceSource {
  user(query: UserQuery, occurrence: Occurrence): UserReference | undefined;
  group(name: string, occurrence: Occurrence): GroupReference | undefined;
  channel(name: string): ChannelReference | undefined;
  topic(channelName: string, topic: string): LinkedTopic | undefined;
  emoji(name: string): EmojiReference | undefined;
  /** The upload at an address; undefined: it is no upload that the writer could see. */
  media(url: string): UploadedMedia | undefined;
  /** Called for every mention of all people of the channel or of the topic. */
  wildcard(scope: 'channel' | 'topic', occurrence: Occurrence): void;
  readonly linkified: LinkifiedTexts;
  readonly translateEmoticons: boolean;
  /** Language of code blocks that name none; empty: none. */
  readonly codeLanguage: string;
}

/** How a name occurs in the text. */
export interface Occurrence {
  /** Written with `@_`, or inside a quotation: nobody is notified. */
  readonly silent: boolean;
}
