import type { Directory } from '../../access/directory.js';
import type { MissedTrigger } from '../../events/missed-messages.js';
import type { SettingName } from '../../events/values/setting-table.js';

/** The settings of a person that e-mails about unread messages follow from, with what those e-mails are about. */
const subjects = {
  enable_offline_email_notifications: 'direct messages and mentions',
  enable_followed_topic_email_notifications: 'topics that you follow',
  enable_stream_email_notifications: 'messages in channels',
} as const satisfies Partial<Record<SettingName, string>>;

type MailSetting = keyof typeof subjects;

/** What e-mails to a person follow from, and what therefore ends them: a setting of theirs, or of their subscription to one channel. */
export type MailChoice =
  | { readonly kind: 'setting'; readonly name: MailSetting }
  | { readonly kind: 'channel'; readonly channelId: number };

/** A message that somebody was written about, and why. */
export interface MissedReason {
  readonly userId: number;
  readonly trigger: MissedTrigger;
  /** Null: it is a direct message. */
  readonly channelId: number | null;
}

/** What a person would have to switch off to be written to no more for the reason that they were written to about a message. */
export function mailChoiceOf(
  { userId, trigger, channelId }: MissedReason,
  directory: Pick<Directory, 'subscription'>,
): MailChoice {
  switch (trigger) {
    case 'direct_message':
    case 'mentioned':
    case 'wildcard_mentioned':
      return { kind: 'setting', name: 'enable_offline_email_notifications' };
    case 'followed_topic':
      return { kind: 'setting', name: 'enable_followed_topic_email_notifications' };
    case 'channel':
      // What is set for the channel itself outweighs what is set for all channels.
      return channelId !== null && directory.subscription(channelId, userId)?.emailNotifications === true
        ? { kind: 'channel', channelId }
        : { kind: 'setting', name: 'enable_stream_email_notifications' };
  }
}

/** What the e-mails are about that a choice ends, to stand behind "e-mails about". */
export function subjectOfChoice(choice: MailChoice, directory: Pick<Directory, 'channel'>): string {
  if (choice.kind === 'setting') return subjects[choice.name];
  return `messages in #${directory.channel(choice.channelId)?.name ?? ''}`;
}

/** A choice as it stands in a link. */
export function writtenChoice(choice: MailChoice): string {
  return choice.kind === 'setting' ? choice.name : `channel-${choice.channelId}`;
}

/** The choice that {@link writtenChoice} wrote; null: it wrote no such text. */
export function readChoice(text: string): MailChoice | null {
  if (Object.hasOwn(subjects, text)) return { kind: 'setting', name: text as MailSetting };
  const channelId = Number(/^channel-([1-9]\d{0,15})$/.exec(text)?.[1]);
  return Number.isSafeInteger(channelId) ? { kind: 'channel', channelId } : null;
}
