import { topicUrl, channelUrl } from './inline/channel-link.js';
import type { ChannelReference } from './references.js';

/**
 * Characters that have a meaning within a line. A full stop is escaped only where an address could continue after it, so that versions and
 * abbreviations stay readable in the source.
 */
const meaningful = /[`*~@#[\]<>&$\\:|!{}^_]|\.(?=[^\s\d])/g;

/** Characters that have a meaning at the beginning of a line: lists, rules, and messages in the third person. */
const meaningfulInFront = /^(?:[-+=/]|\d(?=\d*[.)]))/;

/** Characters that end a name in `#**channel>topic**` and in mentions, or that get another meaning there. */
const endsName = /[`>*&[\]]|\$\$/;

/** The ending by which a link to a topic becomes one to a message in it. */
const messageEnding = /@\d+$/;

/** Escapes a name or another one-line text, so that it mentions nobody, links nowhere and has no style. */
export function plainMarkdown(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.replace(meaningful, characterReference).replace(meaningfulInFront, characterReference);
}

function characterReference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** The fence of a block of code or a quotation: at least three backticks, and more than any run of them in the text. */
export function fenceFor(text: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((length, [run]) => Math.max(length, run.length), 2);
  return '`'.repeat(longest + 1);
}

/** A mention of a person that notifies nobody. */
export function silentUserMention({
  id,
  fullName,
}: {
  readonly id: number;
  readonly fullName: string;
}): string {
  return endsName.test(fullName) ? plainMarkdown(fullName) : `@_**${fullName}|${id}**`;
}

/** A mention of a user group that notifies nobody. */
export function silentGroupMention(name: string): string {
  return name === '' || endsName.test(name) ? plainMarkdown(name) : `@_*${name}*`;
}

/** A link to a channel. */
export function channelLink(channel: ChannelReference): string {
  if (!endsName.test(channel.name)) return `#**${channel.name}**`;
  return `[${plainMarkdown(`#${channel.name}`)}](${channelUrl(channel).slice(1)})`;
}

/**
 * A link to a topic, or to a message in it.
 *
 * @param shown the text of the link, where the link syntax cannot contain the topic's name
 */
export function topicLink(
  channel: ChannelReference,
  {
    topic,
    shown,
    messageId,
  }: { readonly topic: string; readonly shown: string; readonly messageId?: number },
): string {
  const isPlain = topic !== '' && !endsName.test(channel.name) && !endsName.test(topic);
  const message = messageId === undefined ? '' : `@${messageId}`;
  if (isPlain && (messageId !== undefined || !messageEnding.test(topic))) {
    return `#**${channel.name}>${topic}${message}**`;
  }
  const label = plainMarkdown(`#${channel.name} > ${shown}`);
  const ending = messageId === undefined ? '' : ' @ 💬';
  return `[${label}${ending}](${topicUrl(channel, topic, messageId).slice(1)})`;
}
