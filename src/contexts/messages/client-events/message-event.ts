import { emailsKnownTo, hiddenEmail } from '../../../access/email-visibility.js';
import { isSubscribed } from '../../../access/records/subscription.js';
import type { User } from '../../../access/records/user.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { EventOf, RecordedEvent } from '../../../kernel/event.js';
import { Placements } from '../placements.js';
import type { MessageSent } from '../../../events/messages.js';
import { noFlags } from '../flags/flags.state.js';
import type { LocalEcho } from '../sending/local-echoes.js';
import type { UploadedMedia } from '../../../markdown/media.js';
import { renderMarkdown } from '../../../markdown/render.js';
import { firstSubmessages } from '../submessages/submessage.js';
import type { MessageDocument } from '../message-document.js';
import { isResolvedTopic, topicKey } from '../../../events/values/message-text.js';
import { cacheMessage, type CachedMessage } from '../view/cached-message.js';
import { flagsOf } from '../view/flags.js';
import { withTextFlags } from './message-at-event.js';
import { sharedText } from '../view/write-message.js';
import { MessageText, type ClientEvent } from '../../../realtime/client-event.js';
import { topicFormat, type QueueOptions } from '../../../realtime/queues/queue-options.js';
import type { Receiver } from '../../../realtime/mapper.js';

/** A sent message and what its client event is made from. */
interface Sending {
  readonly snapshot: Snapshot;
  readonly event: RecordedEvent<EventOf<typeof MessageSent>>;
  /** What is known about the uploads that the message refers to. */
  readonly media: readonly UploadedMedia[];
  /** Whose alert words are in the text as it was sent; null: the message has no other text now. */
  readonly alertedIds: readonly number[] | null;
  /** The id that the client that sent the message gave it. */
  readonly localName: LocalEcho | null;
  /** Whether a viewer may know the sender. */
  readonly knows: (viewer: User, sender: User) => boolean;
}

/** A new message has not been moved to any channel yet. */
const placements = new Placements();

/**
 * The client event `message`. Its JSON is made once for all clients that want the same form and have the same
 * flags.
 */
export function messageEvent(
  message: CachedMessage,
  sending: Sending,
): (receiver: Receiver) => ClientEvent | null {
  const { snapshot, localName, knows } = sending;
  const sent = asSent(message, sending);
  const { document } = sent;
  const texts = new Map<string, MessageText>();
  const events = new Map<string, ClientEvent>();
  const subject = narrowedFacts(document, snapshot);
  const sender = snapshot.directory.user(document.senderId);
  return ({ user, queueId, options }) => {
    const isTheirs =
      document.channelId === null ||
      document.givenToIds.includes(user.id) ||
      isSubscribed(snapshot.directory.subscription(document.channelId, user.id));
    if (!isTheirs && !options.allPublicChannels) return null;
    const flags = isTheirs ? flagsOf(document, { snapshot, user, placements, flags: noFlags }) : [];
    const hidesSender = sender !== null && !knows(user, sender);
    const senderEmails = (): readonly string[] =>
      sender === null ? [] : sendersEmails(sender, hidesSender ? null : user, snapshot);
    if (!options.narrow({ ...subject, flags, senderEmails })) return null;
    const form = `${formOf(options)},${hidesSender}`;
    const text = entry(texts, form, () => {
      const format = { applyMarkdown: options.applyMarkdown, clientGravatar: options.clientGravatar };
      const shared = sharedText(sent, { ...format, ...topicFormat(options), snapshot, hidesSender });
      return new MessageText(`${shared}}`, document._id);
    });
    const plain = entry(events, `${form} ${flags.join()}`, () => ({ type: 'message', message: text, flags }));
    return localName?.queueId === queueId ? { ...plain, local_message_id: localName.localId } : plain;
  };
}

function formOf({ applyMarkdown, clientGravatar, capabilities }: QueueOptions): string {
  return [applyMarkdown, clientGravatar, capabilities.empty_topic_name].join();
}

/** A narrow must not confirm a guess of an address that its person may not know. Null: they do not know the sender. */
function sendersEmails(sender: User, viewer: User | null, { directory }: Snapshot): readonly string[] {
  return viewer === null ? [hiddenEmail(sender.id)] : emailsKnownTo(viewer, directory, sender);
}

function narrowedFacts({ channelId, topic, isResolved }: MessageDocument, { directory }: Snapshot) {
  const channelName = channelId === null ? null : (directory.channel(channelId)?.name ?? null);
  return { channelName, topic, isResolved };
}

/**
 * The read model may already contain later changes. This gives the message as it was sent; the later changes
 * follow as events of their own.
 */
function asSent(message: CachedMessage, { event: { data }, media, alertedIds }: Sending): CachedMessage {
  if (message.document.changes === 1) return message;
  const { recipient, content } = data;
  const place =
    recipient.type === 'channel'
      ? {
          channelId: recipient.channelId,
          topic: recipient.topic,
          topicKey: topicKey(recipient.topic),
          isResolved: isResolvedTopic(recipient.topic),
          recipientId: recipient.channelId * 2,
        }
      : {};
  const rendered = renderMarkdown(content, data.references, media);
  return cacheMessage({
    ...withTextFlags(message.document, { mentions: data.mentions, alertedIds }),
    ...rendered,
    ...place,
    content,
    mentions: data.mentions,
    arrival: 0,
    lastEditTimestamp: null,
    lastMovedTimestamp: null,
    reactions: [],
    hasReaction: false,
    submessages: firstSubmessages(data),
  });
}

function entry<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
