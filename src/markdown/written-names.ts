import { topicUrl, channelUrl } from './inline/channel-link.js';
import type { ChannelReference } from './references.js';

/**
 * What Markdown gives a meaning to within a line. A full stop counts only where an address could go on behind it: versions and
 * abbreviations stay readable in the source.
 */
const meaningful = /[`*~@#[\]<>&$\\:|!{}^_]|\.(?=[^\s\d])/g;

/** The same for what stands at the beginning of a line: lists, rules, and messages in the third person. */
const meaningfulInFront = /^(?:[-+=/]|\d(?=\d*[.)]))/;

/** These end, or are given another meaning by, the syntax that names stand in: `#**channel>topic**` and the mentions. */
const endsName = /[`>*&[\]]|\$\$/;

/** What a link to a topic ends with when it is one to a message in it. */
const messageEnding = /@\d+$/;

/** A name or another text of one line as it is, whatever its characters are: it mentions nobody, links nowhere and has no style. */
export function plainMarkdown(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.replace(meaningful, characterReference).replace(meaningfulInFront, characterReference);
}

function characterReference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** Somebody's name that notifies nobody. */
export function silentUserMention({
  id,
  fullName,
}: {
  readonly id: number;
  readonly fullName: string;
}): string {
  return endsName.test(fullName) ? plainMarkdown(fullName) : `@_**${fullName}|${id}**`;
}

/** A user group's name that notifies nobody. */
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
 * @param shown what the link says of the topic, where the syntax of links cannot hold its name
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
