import { escapeText } from '../html.js';
import { emptyTopicDisplayName } from '../../kernel/api-constants.js';
import type { TopicCandidate } from '../reference-candidates.js';
import type { ChannelReference } from '../references.js';
import type { InlinePass } from './inline-parser.js';

const channelLink = /(?<![^\s'"(,:<])#\*\*([^*]+)\*\*/g;
// What holds finished HTML (code) is no topic.
const topicLink = /(?<![^\s'"(,:<])#\*\*([^*>]+)>([^*\u0002]*)\*\*/g;
const messageLink = /(?<![^\s'"(,:<])#\*\*([^*>]+)>([^*\u0002]*)@(\d+)\*\*/g;

/** Channels and topics that a text may link to, in their order: in code too, where nothing is linked. */
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
 * `#**channel>topic**`; without a topic, the one that has no name. The link names a message of the topic, so that clients
 * find it though it is renamed or moved.
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
  return topic === '' ? `<em>${emptyTopicDisplayName}</em>` : escapeText(topic);
}

/** Where clients show a topic of a channel, or one message in it, as a link in a text has it. */
export function topicUrl(channel: ChannelReference, topic: string, messageId?: number | string): string {
  const near = messageId === undefined ? '' : `/near/${messageId}`;
  return `${channelUrl(channel)}/topic/${encodeComponent(topic)}${near}`;
}

/** Where clients show a channel, as a link in a text has it. */
export function channelUrl(channel: ChannelReference): string {
  return `/#narrow/channel/${channel.id}-${encodeComponent(channel.name.replaceAll(' ', '-'))}`;
}

/** As it stands in the fragment of a client's address: percent-encoded, with `.` for `%`. */
function encodeComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*.]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
}
