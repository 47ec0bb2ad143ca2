import type { Directory } from '../../access/directory.js';
import type { MissedTrigger } from '../../events/missed-messages.js';
import type { SettingName } from '../../events/values/setting-table.js';

/** The settings behind e-mails about unread messages, with what those e-mails are about. */
const subjects = {
  enable_offline_email_notifications: 'direct messages and mentions',
  enable_followed_topic_email_notifications: 'topics that you follow',
  enable_stream_email_notifications: 'messages in channels',
} as const satisfies Partial<Record<SettingName, string>>;

type MailSetting = keyof typeof subjects;

/**
 * What causes an e-mail, and can therefore be turned off: a setting of the person, or of their subscription
 * to one channel.
 */
export type MailChoice =
  | { readonly kind: 'setting'; readonly name: MailSetting }
  | { readonly kind: 'channel'; readonly channelId: number };

/** A message that an e-mail is about, and why. */
interface MissedReason {
  readonly userId: number;
  readonly trigger: MissedTrigger;
  /** Null: a direct message. */
  readonly channelId: number | null;
}

/** The setting to turn off so that a person gets no more e-mails for the reason of this one. */
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
      // A setting of the subscription overrides the general setting.
      return channelId !== null && directory.subscription(channelId, userId)?.emailNotifications === true
        ? { kind: 'channel', channelId }
        : { kind: 'setting', name: 'enable_stream_email_notifications' };
  }
}

/** What the e-mails of a setting are about, for use after "e-mails about". */
export function subjectOfChoice(choice: MailChoice, directory: Pick<Directory, 'channel'>): string {
  if (choice.kind === 'setting') return subjects[choice.name];
  return `messages in #${directory.channel(choice.channelId)?.name ?? ''}`;
}

/** A setting as a link contains it. */
export function writtenChoice(choice: MailChoice): string {
  return choice.kind === 'setting' ? choice.name : `channel-${choice.channelId}`;
}

/** Parses the text of {@link writtenChoice}; null: invalid. */
export function readChoice(text: string): MailChoice | null {
  if (Object.hasOwn(subjects, text)) return { kind: 'setting', name: text as MailSetting };
  const channelId = Number(/^channel-([1-9]\d{0,15})$/.exec(text)?.[1]);
  return Number.isSafeInteger(channelId) ? { kind: 'channel', channelId } : null;
}
