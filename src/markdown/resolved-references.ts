import { storageNameAt, type UploadedMedia } from './media.js';
import type {
  ChannelReference,
  EmojiReference,
  GroupReference,
  LinkedTopic,
  LinkifiedText,
  LinkifiedTexts,
  ReferenceSource,
  RenderReferences,
  UserQuery,
  UserReference,
} from './references.js';
import { safeUrl } from './url.js';

/** Resolves names by the stored references of a text. */
export class ResolvedReferences implements ReferenceSource {
  readonly linkified: LinkifiedTexts;
  readonly translateEmoticons: boolean;
  readonly codeLanguage: string;
  readonly #references: RenderReferences;
  readonly #media: readonly UploadedMedia[];
  #usersByName: Map<string, UserReference> | undefined;

  constructor(references: RenderReferences, media: readonly UploadedMedia[] = []) {
    this.#media = media;
    this.#references = references;
    this.linkified = linkifiedTexts(references.linkified ?? []);
    this.translateEmoticons = references.translateEmoticons ?? false;
    this.codeLanguage = references.codeLanguage ?? '';
  }

  user({ name, id }: UserQuery): UserReference | undefined {
    if (id === undefined) return name === undefined ? undefined : this.#userNamed(name);
    const user = this.#references.users?.find((candidate) => candidate.id === id);
    return name === undefined || user?.name === name ? user : undefined;
  }

  group(name: string): GroupReference | undefined {
    return this.#references.groups?.find((group) => group.name === name);
  }

  channel(name: string): ChannelReference | undefined {
    return this.#references.channels?.find((channel) => channel.name === name);
  }

  topic(channelName: string, topic: string): LinkedTopic | undefined {
    const channel = this.channel(channelName);
    if (channel === undefined) return undefined;
    const known = this.#references.topics?.find(
      (candidate) => candidate.channelId === channel.id && candidate.topic === topic,
    );
    return { channel, messageId: known?.messageId };
  }

  emoji(name: string): EmojiReference | undefined {
    const { emoji } = this.#references;
    return emoji !== undefined && Object.hasOwn(emoji, name) ? emoji[name] : undefined;
  }

  media(url: string): UploadedMedia | undefined {
    const storageName = this.#media.length === 0 ? null : storageNameAt(url);
    return storageName === null
      ? undefined
      : this.#media.find((candidate) => candidate.storageName === storageName);
  }

  wildcard(): void {
    // The lookup happened when the text was written.
  }

  /** The first of those with the name, ignoring case. */
  #userNamed(name: string): UserReference | undefined {
    this.#usersByName ??= new Map(
      (this.#references.users ?? []).toReversed().map((user) => [user.name.toLowerCase(), user]),
    );
    return this.#usersByName.get(name.toLowerCase());
  }
}

function linkifiedTexts(linkified: readonly LinkifiedText[]): LinkifiedTexts {
  const texts = new Map<string, number>();
  const urls: string[] = [];
  for (const { text, url } of linkified) {
    const safe = safeUrl(url);
    // A text to look up must not contain a placeholder for finished HTML.
    if (safe === undefined || text === '' || text.includes('\u0002') || texts.has(text)) continue;
    texts.set(text, urls.push(safe) - 1);
  }
  return { texts, urls, lengths: [...new Set([...texts.keys()].map(({ length }) => length))] };
}
