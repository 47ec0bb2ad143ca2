import { readFileSync } from 'node:fs';
import type { ReferenceLookup } from '../../src/markdown/resolve-references.js';

/** A text of the corpus, and the HTML that the API's clients expect. */
export interface CorpusPair {
  readonly markdown: string;
  readonly html: string;
  readonly feature: string;
  /** Full name of the sender. */
  readonly sender: string;
}

interface Fixture {
  readonly sender: string;
  readonly users: readonly {
    readonly key: string;
    readonly full_name: string;
    readonly deactivated?: boolean;
    readonly settings?: { readonly translate_emoticons?: boolean };
  }[];
  readonly channels: readonly { readonly name: string }[];
  readonly groups: readonly { readonly name: string; readonly deactivated?: boolean }[];
  readonly linkifiers: readonly { readonly pattern: string; readonly url_template: string }[];
  readonly emoji: readonly { readonly name: string }[];
  readonly messages: readonly { readonly key: string }[];
}

/** The corpus does not say where images of emoji are; this is the server's address of the one that it includes. */
const emojiUrl = '/static/generated/emoji/images/emoji/unicode/zulip.png';

const [fixtureLine = '', ...pairLines] = readFileSync(
  new URL('../fixtures/markdown.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n');
const { fixture } = JSON.parse(fixtureLine) as { fixture: Fixture };

const ids = new Map<string, string>([
  ...fixture.users.map(({ key }, index) => [`user:${key}`, String(index + 10)] as const),
  ...fixture.channels.map(({ name }, index) => [`channel:${name}`, String(index + 100)] as const),
  ...fixture.groups.map(({ name }, index) => [`group:${name}`, String(index + 1000)] as const),
  ...fixture.messages.map(({ key }, index) => [`message:${key}`, String(index + 10_000)] as const),
  ['emoji_url', emojiUrl],
]);

/** The id for a placeholder (`user:Iago`) of the corpus. */
export function corpusId(placeholder: string): number {
  return Number(ids.get(placeholder));
}

/** All pairs, with ids instead of placeholders. */
export const corpusPairs: readonly CorpusPair[] = pairLines.map((line) => {
  const pair = JSON.parse(line) as Omit<CorpusPair, 'sender'> & { readonly sender?: string };
  return {
    markdown: withIds(pair.markdown),
    html: withIds(pair.html),
    feature: pair.feature,
    sender: pair.sender ?? fixture.sender,
  };
});

function withIds(text: string): string {
  return text.replace(/\{\{([^}]+)\}\}/g, (source, placeholder: string) => ids.get(placeholder) ?? source);
}

/** The organization in which the corpus was recorded, as seen by one of its people. */
export function corpusLookup(sender: string): ReferenceLookup {
  const users = fixture.users.map(({ key, full_name: fullName, deactivated }) => ({
    id: corpusId(`user:${key}`),
    fullName,
    isActive: deactivated !== true,
  }));
  return {
    userById: (id) => users.find((user) => user.id === id) ?? null,
    usersByName: (name) => users.filter(({ fullName }) => fullName.toLowerCase() === name.toLowerCase()),
    groupByName: (name) => {
      const group = fixture.groups.find((candidate) => candidate.name === name);
      if (group === undefined) return null;
      return {
        id: corpusId(`group:${name}`),
        name,
        isSystem: false,
        isDeactivated: group.deactivated === true,
      };
    },
    channelByName: (name) =>
      fixture.channels.some((channel) => channel.name === name)
        ? { id: corpusId(`channel:${name}`), name }
        : null,
    customEmojiByName: (name) =>
      fixture.emoji.some((emoji) => emoji.name === name) ? { id: '1', url: emojiUrl } : null,
    linkifiers: fixture.linkifiers.map(({ pattern, url_template: urlTemplate }) => ({
      pattern,
      urlTemplate,
    })),
    translateEmoticons:
      fixture.users.find(({ full_name: name }) => name === sender)?.settings?.translate_emoticons ?? false,
  };
}
