import { escapeText } from '../html.js';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../kernel/api-constants.js';
import type { TopicCandidate } from '../reference-candidates.js';
import type { ChannelReference } from '../references.js';
import type { InlinePass } from './inline-parser.js';

const channelLink = /(?<![^\s'"(,:<])#\*\*([^*]+)\*\*/g;
// Placeholders for finished HTML (code) cannot be part of a topic.
const topicLink = /(?<![^\s'"(,:<])#\*\*([^*>]+)>([^*\u0002]*)\*\*/g;
const messageLink = /(?<![^\s'"(,:<])#\*\*([^*>]+)>([^*\u0002]*)@(\d+)\*\*/g;

/** Channels and topics that a text may link to, in order. Those inside code are included, although they will not be linked. */
export function topicLinksIn(text: string): readonly TopicCandidate[] {
  if (!text.includes('#**')) return [];
  return [...text.matchAll(topicLink)].map(([, channelName = '', topic = '']) => ({ channelName, topic }));
}

/** `#**channel**`. */
export const parseChannelLinks: InlinePass = (text, inline) => {
  if (!text.includes('#**')) return text;
  return text.replace(channelLink, (source, name: string) => {
    const channel = inline.references.channel(name);
    if (channel === undefined) return source;
    const url = channelUrl(channel);
    const html = `<a class="stream" data-stream-id="${channel.id}" href="${url}">#${escapeText(channel.name)}</a>`;
    return inline.stash.put(html);
  });
};

/**
 * `#**channel>topic**`; an empty topic is the channel's unnamed one. The link contains the id of a message of the topic, so that clients
 * find the topic after it was renamed or moved.
 */
export const parseTopicLinks: InlinePass = (text, inline) => {
  if (!text.includes('#**')) return text;
  return text.replace(topicLink, (source, name: string, topic: string) => {
    const linked = inline.references.topic(name, topic);
    if (linked === undefined) return source;
    const { channel, messageId } = linked;
    const shown = `#${escapeText(channel.name)} &gt; ${shownTopic(topic)}`;
    const url = topicUrl(channel, topic) + (messageId === undefined ? '' : `/with/${messageId}`);
    return inline.stash.put(
      `<a class="stream-topic" data-stream-id="${channel.id}" href="${url}">${shown}</a>`,
    );
  });
};

/** `#**channel>topic@message**`. */
export const parseMessageLinks: InlinePass = (text, inline) => {
  if (!text.includes('#**')) return text;
  return text.replace(messageLink, (source, ...[name, topic, messageId]: [string, string, string]) => {
    const channel = inline.references.channel(name);
    if (channel === undefined) return source;
    const shown = `#${escapeText(channel.name)} &gt; ${shownTopic(topic)} @ 💬`;
    const url = topicUrl(channel, topic, messageId);
    return inline.stash.put(`<a class="message-link" href="${url}">${shown}</a>`);
  });
};

function shownTopic(topic: string): string {
  return topic === '' ? `<em>${EMPTY_TOPIC_DISPLAY_NAME}</em>` : escapeText(topic);
}

/** The address at which clients show a topic, or one message in it, as used in links. */
export function topicUrl(channel: ChannelReference, topic: string, messageId?: number | string): string {
  const near = messageId === undefined ? '' : `/near/${messageId}`;
  return `${channelUrl(channel)}/topic/${encodeComponent(topic)}${near}`;
}

/** The address at which clients show a channel, as used in links. */
export function channelUrl(channel: ChannelReference): string {
  return `/#narrow/channel/${channel.id}-${encodeComponent(channel.name.replaceAll(' ', '-'))}`;
}

/** Encodes a part of a URL fragment: percent-encoded, with `.` instead of `%`. */
function encodeComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*.]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
}
