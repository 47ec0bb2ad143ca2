import type { Directory } from '../../access/directory.js';
import { topicUrl } from '../../markdown/inline/channel-link.js';
import type { ChannelReference } from '../../markdown/references.js';
import { topicLink as writtenTopicLink } from '../../markdown/written-names.js';
import type { MessageDocument } from './message-document.js';
import { shownTopic } from '../../events/values/message-text.js';

/** A topic of a channel, as texts link to it. */
export interface Thread {
  readonly channelId: number;
  readonly topic: string;
}

/** Markdown that links to a topic, whatever its characters are. */
export function topicLink(thread: Thread, directory: Directory): string {
  return writtenTopicLink(channelOf(thread, directory), shownThread(thread));
}

/** Markdown that links to a message in a topic, whatever the topic's characters are. */
export function threadMessageLink(thread: Thread, messageId: number, directory: Directory): string {
  return writtenTopicLink(channelOf(thread, directory), { ...shownThread(thread), messageId });
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

function shownThread({ topic }: Thread): { readonly topic: string; readonly shown: string } {
  return { topic, shown: shownTopic(topic, { allowEmptyTopicName: false }) };
}

function addressOf(thread: Thread, directory: Directory, messageId?: number): string {
  return topicUrl(channelOf(thread, directory), thread.topic, messageId).slice(1);
}

function channelOf({ channelId }: Thread, directory: Directory): ChannelReference {
  return { id: channelId, name: directory.channel(channelId)?.name ?? '' };
}
