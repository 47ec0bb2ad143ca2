import { escapeText } from '../html.js';
import { channelWildcards, TOPIC_WILDCARD, type UserQuery } from '../references.js';
import type { InlineParser, InlinePass } from './inline-parser.js';

/** A mention must follow a blank, an opening bracket, a quotation mark or a slash. */
const userMention = /(?<![^\s'"({[/<])@(_?)\*\*([^*]+)\*\*/g;
const groupMention = /(?<![^\s'"({[/<])@(_?)\*([^*]+)\*/g;
/** Names may contain separators of lines, which `.` does not match. */
const nameAndId = /^([^\n]+)?\|(\d{1,15})$/;

/** Makes every mention of a text silent, for quoting it. It changes anything that looks like a mention, also inside code. */
export function silenceMentions(text: string): string {
  if (!text.includes('@')) return text;
  return text.replace(userMention, '@_**$2**').replace(groupMention, '@_*$2*');
}

/** `@**Name**`, `@**Name|id**`, `@**all**`. `@_**Name**` is a silent mention. */
export const parseUserMentions: InlinePass = (text, inline) => {
  if (!text.includes('@')) return text;
  return text.replace(userMention, (source, underscore: string, name: string) => {
    const html = userMentionHtml(name, underscore !== '', inline);
    return html === undefined ? source : inline.stash.put(html);
  });
};

/** `@*group*`. `@_*group*` is a silent mention. */
export const parseGroupMentions: InlinePass = (text, inline) => {
  if (!text.includes('@')) return text;
  return text.replace(groupMention, (source, underscore: string, name: string) => {
    const silent = underscore !== '';
    const group = inline.references.group(name, { silent });
    if (group === undefined) return source;
    const shown = mention(shownGroupName(group.name), silent || group.deactivated === true);
    return inline.stash.put(
      `<span class="user-group-mention${shown.class}" data-user-group-id="${group.id}">${shown.text}</span>`,
    );
  });
};

/** Display names of the groups that follow from roles. */
const systemGroupNames: ReadonlyMap<string, string> = new Map([
  ['role:internet', 'Everyone on the internet'],
  ['role:everyone', 'Everyone including guests'],
  ['role:members', 'Everyone except guests'],
  ['role:fullmembers', 'Full members'],
  ['role:moderators', 'Moderators'],
  ['role:administrators', 'Administrators'],
  ['role:owners', 'Owners'],
  ['role:nobody', 'Nobody'],
]);

/** Groups of the organization's own cannot have such a name. */
function shownGroupName(name: string): string {
  return systemGroupNames.get(name) ?? name;
}

function userMentionHtml(name: string, silent: boolean, { references }: InlineParser): string | undefined {
  if (channelWildcards.has(name)) {
    references.wildcard('channel', { silent });
    const shown = mention(name, silent);
    return `<span class="user-mention channel-wildcard-mention${shown.class}" data-user-id="*">${shown.text}</span>`;
  }
  if (name === TOPIC_WILDCARD) {
    references.wildcard('topic', { silent });
    const shown = mention(name, silent);
    return `<span class="topic-mention${shown.class}">${shown.text}</span>`;
  }
  const user = references.user(userQuery(name), { silent });
  if (user === undefined) return undefined;
  const shown = mention(user.name, silent || user.deactivated === true);
  return `<span class="user-mention${shown.class}" data-user-id="${user.id}">${shown.text}</span>`;
}

function userQuery(name: string): UserQuery {
  const match = nameAndId.exec(name);
  if (match === null) return { name };
  const id = Number(match[2]);
  return match[1] === undefined ? { id } : { id, name: match[1] };
}

function mention(name: string, silent: boolean): { class: string; text: string } {
  const text = escapeText(name);
  return silent ? { class: ' silent', text } : { class: '', text: `@${text}` };
}
