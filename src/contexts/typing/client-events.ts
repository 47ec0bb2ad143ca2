import { mayKnow } from '../../access/acquaintances.js';
import { DirectConversations } from '../../access/direct-conversations.js';
import { isSubscribed } from '../../access/records/subscription.js';
import { emailFor } from '../../access/email-visibility.js';
import type { Snapshot } from '../../access/snapshot.js';
import type { Recipient } from '../../events/messages.js';
import { shownTopic } from '../../events/values/message-text.js';
import { topicFormat } from '../../realtime/queues/queue-options.js';
import type { User } from '../../access/records/user.js';
import type { Signal } from '../../realtime/signals/signal-exchange.js';
import type { AddressedEvent } from '../../realtime/mapper.js';
import type { ClientEvent } from '../../realtime/client-event.js';

/** A person starts or stops typing. */
export interface TypingSignal extends Signal {
  readonly type: 'typing';
  readonly op: 'start' | 'stop';
  readonly senderId: number;
  readonly recipient:
    | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
    /** Everyone in the conversation, the sender included. */
    | {
        readonly type: 'direct';
        readonly userIds: readonly number[];
        /**
         * By recipient from whom people are hidden: the ids of those whose address they may not know. Absent: a
         * process of an earlier version sent the signal.
         */
        readonly strangers?: Readonly<Record<string, readonly number[]>>;
      };
}

/** A person starts or stops editing a message. */
export interface EditingSignal extends Signal {
  readonly type: 'typing_edit_message';
  readonly op: 'start' | 'stop';
  readonly senderId: number;
  readonly messageId: number;
  readonly recipient: Recipient;
  /** Who gets the client event: see `editingAudience`. */
  readonly userIds: readonly number[];
}

/** The client events of the signal. */
export function editingEvents(
  { type, op, senderId, messageId, recipient, userIds }: EditingSignal,
  snapshot: Snapshot,
): readonly AddressedEvent[] {
  const common = { type, op, sender_id: senderId, message_id: messageId };
  return [
    {
      to: userIds.filter((id) => wantsToKnow(id, snapshot)),
      event:
        recipient.type === 'direct'
          ? { ...common, recipient: { type: 'direct', user_ids: recipient.userIds } }
          : ({ options }) => ({
              ...common,
              recipient: {
                type: 'channel',
                channel_id: recipient.channelId,
                topic: shownTopic(recipient.topic, topicFormat(options)),
              },
            }),
    },
  ];
}

/** The client events of the signal. Viewers who may not know a person get a made-up address. */
export function typingEvents(
  { op, senderId, recipient }: TypingSignal,
  snapshot: Snapshot,
): readonly AddressedEvent[] {
  const sender = snapshot.directory.user(senderId);
  if (sender === null) return [];
  const typing = { common: { type: 'typing', op }, sender, snapshot };
  return recipient.type === 'direct' ? directEvents(recipient, typing) : channelEvents(recipient, typing);
}

/** Who types, and the fields that all client events about it have. */
interface Typing {
  readonly common: ClientEvent;
  readonly sender: User;
  readonly snapshot: Snapshot;
}

function directEvents(
  { userIds, strangers }: Extract<TypingSignal['recipient'], { readonly type: 'direct' }>,
  { common, sender, snapshot }: Typing,
): readonly AddressedEvent[] {
  const people = userIds.flatMap((id) => snapshot.directory.user(id) ?? []);
  return [
    {
      to: userIds.filter((id) => wantsToKnow(id, snapshot)),
      event: ({ user: viewer }) => {
        const unknown = strangers?.[viewer.id] ?? [];
        const shown = (person: User): object => personOf(person, snapshot, !unknown.includes(person.id));
        return { ...common, sender: shown(sender), message_type: 'direct', recipients: people.map(shown) };
      },
    },
  ];
}

/** Who knows the sender from direct conversations alone, which are not looked up for it, gets a made-up address too. */
function channelEvents(
  recipient: Extract<TypingSignal['recipient'], { readonly type: 'channel' }>,
  { common, sender, snapshot }: Typing,
): readonly AddressedEvent[] {
  const { directory } = snapshot;
  const conversations = DirectConversations.none;
  const channel = directory.channel(recipient.channelId);
  if (channel === null) return [];
  return [
    {
      to: (user) =>
        isSubscribed(directory.subscription(channel.id, user.id)) && wantsToKnow(user.id, snapshot),
      event: ({ user: viewer, options }) =>
        options.capabilities.stream_typing_notifications
          ? {
              ...common,
              sender: personOf(sender, snapshot, mayKnow(snapshot, { viewer, conversations }, sender)),
              message_type: 'stream',
              stream_id: channel.id,
              topic: shownTopic(recipient.topic, topicFormat(options)),
            }
          : null,
    },
  ];
}

/** People can turn typing notifications off. */
function wantsToKnow(userId: number, { directory }: Snapshot): boolean {
  return directory.settings.value(userId, 'receives_typing_notifications');
}

function personOf(user: User, { directory }: Snapshot, isKnown: boolean): object {
  return { user_id: user.id, email: emailFor(directory, user, isKnown) };
}
