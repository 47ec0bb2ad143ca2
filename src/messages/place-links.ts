import type { Directory } from '../directory/directory.js';
import { topicUrl } from './markdown/inline/channel-link.js';
import type { MessageDocument } from './message-document.js';
import { shownTopic } from './text.js';

/** A topic of a channel, as texts link to it. */
export interface Thread {
  readonly channelId: number;
  readonly topic: string;
}

/** These mean something in a text, or end the names that a link is written with. */
const troublesome = /[`>*&[\]]|\$\$/;
const troublesomeCharacters = /[`>*&[\]$]/g;

/** What a link to a topic ends with when it is one to a message in it. */
const messageEnding = /@\d+$/;

/** Markdown that links to a topic, whatever its characters are. */
export function topicLink(thread: Thread, directory: Directory): string {
  const name = channelName(thread, directory);
  if (isPlain(thread, directory) && !messageEnding.test(thread.topic)) return `#**${name}>${thread.topic}**`;
  return `[${labelOf(thread, directory)}](${addressOf(thread, directory)})`;
}

/** Markdown that links to a message in a topic, whatever the topic's characters are. */
export function threadMessageLink(thread: Thread, messageId: number, directory: Directory): string {
  const name = channelName(thread, directory);
  if (isPlain(thread, directory)) return `#**${name}>${thread.topic}@${messageId}**`;
  return `[${labelOf(thread, directory)} @ 💬](${addressOf(thread, directory, messageId)})`;
}

/** Where clients show a message among those around it, as they write it: relative to the page, not to the server. */
export function messageAddress(
  { _id, channelId, topic, participantIds }: LinkedMessage,
  directory: Directory,
): string {
  if (channelId !== null) return addressOf({ channelId, topic: topic ?? '' }, directory, _id);
  const people = participantIds ?? [];
  return `#narrow/dm/${people.join(',')}-${people.length > 2 ? 'group' : 'dm'}/near/${_id}`;
}

/** What of a message a link to it is made of. */
export type LinkedMessage = Pick<MessageDocument, '_id' | 'channelId' | 'topic' | 'participantIds'>;

function isPlain(thread: Thread, directory: Directory): boolean {
  const { topic } = thread;
  return topic !== '' && !troublesome.test(channelName(thread, directory)) && !troublesome.test(topic);
}

function labelOf(thread: Thread, directory: Directory): string {
  const shown = shownTopic(thread.topic, { allowEmptyTopicName: false });
  return `#${channelName(thread, directory)} > ${shown}`.replace(
    troublesomeCharacters,
    (character) => `&#${character.charCodeAt(0)};`,
  );
}

function addressOf(thread: Thread, directory: Directory, messageId?: number): string {
  const channel = { id: thread.channelId, name: channelName(thread, directory) };
  return topicUrl(channel, thread.topic, messageId).slice(1);
}

function channelName({ channelId }: Thread, directory: Directory): string {
  return directory.channel(channelId)?.name ?? '';
}
