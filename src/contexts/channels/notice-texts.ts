import type { Directory } from '../../access/directory.js';
import { systemGroupIds } from '../../events/values/organization-defaults.js';
import { silenceMentions } from '../../markdown/inline/mention.js';
import { silentGroupMention, silentUserMention } from '../../markdown/written-names.js';
import type { GroupSetting } from '../../events/values/group-setting.js';
import type { Channel } from '../../access/records/channel.js';
import type { ChannelPrivacy } from '../../events/channels.js';

/** Markdown that names a person without notifying them; null: an unknown person. */
export function silentMention(directory: Directory, userId: number | null): string {
  const user = userId === null ? null : directory.user(userId);
  return user === null ? 'Somebody' : silentUserMention(user);
}

/** The topic for a notice in a channel; channels without topics have only the empty one. */
export function noticeTopic(channel: Pick<Channel, 'topicsPolicy'> | null, topic: string): string {
  return channel?.topicsPolicy === 'empty_topic_only' ? '' : topic;
}

/** The name of a channel's privacy in notices. */
export function privacyName({ isWebPublic, inviteOnly, historyPublicToSubscribers }: ChannelPrivacy): string {
  if (isWebPublic) return 'Web-public';
  if (!inviteOnly) return 'Public';
  return historyPublicToSubscribers ? 'Private, shared history' : 'Private, protected history';
}

/**
 * A description as a quotation, in a fence longer than any within it. Its mentions notify nobody, not even in
 * the quoted source.
 */
export function quoted(written: string): string {
  if (written === '') return '*No description.*';
  const description = silenceMentions(written).replaceAll(/^(\s*)~(?=~~)/gm, '$1&#126;');
  const runs = description.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(4, ...runs.map((run) => run.length + 1)));
  return `${fence} quote\n${description}\n${fence}`;
}

/** The name of a retention time in notices. */
export function retentionName(days: number | null): string {
  if (days === null) return 'as the organization keeps them';
  if (days === -1) return 'forever';
  return days === 1 ? '1 day' : `${days} days`;
}

const systemGroupNames: ReadonlyMap<number, string> = new Map([
  [systemGroupIds.internet, 'everyone on the Internet'],
  [systemGroupIds.everyone, 'everyone'],
  [systemGroupIds.members, 'members'],
  [systemGroupIds.fullMembers, 'full members'],
  [systemGroupIds.moderators, 'moderators'],
  [systemGroupIds.administrators, 'administrators'],
  [systemGroupIds.owners, 'owners'],
  [systemGroupIds.nobody, 'nobody'],
]);

/** The name of a group setting in notices. */
export function groupSettingName(directory: Directory, setting: GroupSetting): string {
  return groupSettingNames(directory, setting).join(', ');
}

/** The names of the groups and people in a group setting in notices, at least one: "nobody" if there are none. */
export function groupSettingNames(directory: Directory, setting: GroupSetting): readonly string[] {
  const { direct_members: members, direct_subgroups: groups } =
    typeof setting === 'number' ? { direct_members: [], direct_subgroups: [setting] } : setting;
  const names = [
    ...groups.map((id) => systemGroupNames.get(id) ?? silentGroupMention(directory.group(id)?.name ?? '')),
    ...members.map((id) => silentMention(directory, id)),
  ];
  return names.length === 0 ? ['nobody'] : names;
}
