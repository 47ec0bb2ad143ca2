import type { Directory } from '../../../access/directory.js';
import { topicUrl } from '../../../markdown/inline/channel-link.js';
import type { ChannelReference } from '../../../markdown/references.js';
import { topicLink as writtenTopicLink } from '../../../markdown/written-names.js';
import type { MessageDocument } from '../message-document.js';
import { shownTopic } from '../../../events/values/message-text.js';

/** A topic of a channel, as a link names it. */
export interface Thread {
  readonly channelId: number;
  readonly topic: string;
}

/** Markdown of a link to a topic, escaped for any characters in its name. */
export function topicLink(thread: Thread, directory: Directory): string {
  return writtenTopicLink(channelOf(thread, directory), shownThread(thread));
}

/** Markdown of a link to a message in a topic, escaped for any characters in the topic's name. */
export function threadMessageLink(thread: Thread, messageId: number, directory: Directory): string {
  return writtenTopicLink(channelOf(thread, directory), { ...shownThread(thread), messageId });
}

/**
 * The address at which clients show a message among its neighbours: relative to the page, as clients write
 * it.
 */
export function messageAddress(
  { _id, channelId, topic, participantIds }: LinkedMessage,
  directory: Directory,
): string {
  if (channelId !== null) return addressOf({ channelId, topic: topic ?? '' }, directory, _id);
  const people = participantIds ?? [];
  return `#narrow/dm/${people.join(',')}-${people.length > 2 ? 'group' : 'dm'}/near/${_id}`;
}

/** The fields of a message that a link to it is made of. */
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
