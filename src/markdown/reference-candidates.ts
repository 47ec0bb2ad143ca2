import type { LinkifiedTexts, Occurrence, ReferenceSource, UserQuery } from './references.js';

/** A name in a text, and whether all its mentions are silent. */
interface NamedCandidate {
  readonly name: string;
  readonly silent: boolean;
}

/** A person mentioned by name, by id, or both. */
interface UserCandidate extends UserQuery {
  readonly silent: boolean;
}

/** A topic that a text links to. */
export interface TopicCandidate {
  readonly channelName: string;
  readonly topic: string;
}

/** What must be looked up before a text is stored. Each item is listed once, and is silent if all its mentions are. */
export interface ReferenceCandidates {
  /** The text itself, which linkifiers search. */
  readonly content: string;
  readonly users: readonly UserCandidate[];
  readonly groups: readonly NamedCandidate[];
  readonly channels: readonly string[];
  readonly topics: readonly TopicCandidate[];
  /** Possible names of custom emoji, including those of built-in ones, because a custom emoji takes precedence. */
  readonly emoji: readonly string[];
  /** The addresses of its links, in order. */
  readonly addresses: readonly string[];
  readonly mentionsChannel: boolean;
  readonly mentionsTopic: boolean;
}

const nothingLinkified: LinkifiedTexts = { texts: new Map(), urls: [], lengths: [] };

/** A reference source that knows no names, and records every name that is looked up. */
export class ReferenceRecorder implements ReferenceSource {
  readonly linkified = nothingLinkified;
  readonly translateEmoticons = false;
  readonly codeLanguage = '';
  readonly #users = new Map<string, UserCandidate>();
  readonly #groups = new Map<string, NamedCandidate>();
  readonly #channels = new Set<string>();
  readonly #topics = new Map<string, TopicCandidate>();
  readonly #emoji = new Set<string>();
  readonly #media = new Set<string>();
  #mentionsChannel = false;
  #mentionsTopic = false;

  user(query: UserQuery, { silent }: Occurrence): undefined {
    const key = `${query.id ?? ''}|${query.name ?? ''}`;
    this.#users.set(key, { ...query, silent: silent && (this.#users.get(key)?.silent ?? true) });
  }

  group(name: string, { silent }: Occurrence): undefined {
    this.#groups.set(name, { name, silent: silent && (this.#groups.get(name)?.silent ?? true) });
  }

  channel(name: string): undefined {
    this.#channels.add(name);
  }

  topic(channelName: string, topic: string): undefined {
    this.#channels.add(channelName);
    this.#topics.set(`${channelName}>${topic}`, { channelName, topic });
  }

  emoji(name: string): undefined {
    this.#emoji.add(name);
  }

  media(url: string): undefined {
    this.#media.add(url);
  }

  wildcard(scope: 'channel' | 'topic', { silent }: Occurrence): void {
    if (silent) return;
    if (scope === 'topic') this.#mentionsTopic = true;
    else this.#mentionsChannel = true;
  }

  /** The recorded names. */
  candidates(content: string, addresses: readonly string[]): ReferenceCandidates {
    return {
      content,
      addresses: [...addresses, ...this.#media],
      users: [...this.#users.values()],
      groups: [...this.#groups.values()],
      channels: [...this.#channels],
      topics: [...this.#topics.values()],
      emoji: [...this.#emoji],
      mentionsChannel: this.#mentionsChannel,
      mentionsTopic: this.#mentionsTopic,
    };
  }
}
