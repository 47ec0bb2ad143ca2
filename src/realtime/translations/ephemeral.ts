import { isSubscribed } from '../../channels/subscription.js';
import { apiEmail } from '../../directory/email-visibility.js';
import type { Moment } from '../../directory/moment.js';
import { shownTopic } from '../../messages/text.js';
import { topicFormat } from '../queues/queue-options.js';
import type { User } from '../../users/user.js';
import { presenceNotices } from './presence.js';
import type { Presence } from '../../presence/presence.js';
import type { Notice } from '../translation.js';

/** Somebody begins or ceases to type. */
export interface TypingEvent {
  readonly type: 'typing';
  readonly op: 'start' | 'stop';
  readonly senderId: number;
  readonly recipient:
    | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
    /** Everyone in the conversation, the sender included. */
    | { readonly type: 'direct'; readonly userIds: readonly number[] };
}

/** Somebody came back, or does not want to be seen any more. */
export interface PresenceEvent {
  readonly type: 'presence';
  readonly presence: Presence;
}

/** What clients are told of though it is no fact to keep: plain JSON, so that it can cross to other processes. */
export type EphemeralEvent = TypingEvent | PresenceEvent;

/** How each of them is told. */
export function translateEphemeral(event: EphemeralEvent, moment: Moment): readonly Notice[] {
  switch (event.type) {
    case 'typing':
      return typing(event, moment);
    case 'presence':
      return presenceNotices(event.presence, moment);
  }
}

function typing({ op, senderId, recipient }: TypingEvent, moment: Moment): readonly Notice[] {
  const { directory } = moment;
  const sender = directory.user(senderId);
  if (sender === null) return [];
  const common = { type: 'typing', op, sender: personOf(sender, moment) };
  if (recipient.type === 'direct') {
    const people = recipient.userIds.flatMap((id) => directory.user(id) ?? []);
    const recipients = people.map((person) => personOf(person, moment));
    return [
      {
        to: recipient.userIds.filter((id) => wantsToKnow(id, moment)),
        event: { ...common, message_type: 'direct', recipients },
      },
    ];
  }
  const channel = directory.channel(recipient.channelId);
  if (channel === null) return [];
  return [
    {
      to: (user) => isSubscribed(directory.subscription(channel.id, user.id)) && wantsToKnow(user.id, moment),
      event: ({ options }) =>
        options.capabilities.stream_typing_notifications
          ? {
              ...common,
              message_type: 'stream',
              stream_id: channel.id,
              topic: shownTopic(recipient.topic, topicFormat(options)),
            }
          : null,
    },
  ];
}

/** People may turn off that they are told who types. */
function wantsToKnow(userId: number, { directory }: Moment): boolean {
  return directory.settings.value(userId, 'receives_typing_notifications');
}

function personOf(user: User, { directory }: Moment): object {
  return { user_id: user.id, email: apiEmail(directory, user) };
}
