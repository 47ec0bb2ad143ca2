import { hidesPeople, mayKnow } from '../../../access/acquaintances.js';
import type { DirectConversations } from '../../../access/direct-conversations.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { ReactionAdded, ReactionRemoved } from '../../../events/messages.js';
import type { EventOf, RecordedEvent } from '../../../kernel/event.js';
import type { AddressedEvent } from '../../../realtime/mapper.js';
import { saysNothing } from '../../../realtime/queues/client-capabilities.js';
import type { MessageModels } from './client-models.js';
import { getsActsOn, type VisibilityContext } from './message-audience.js';
import { reactingUser } from '../view/reacting-user.js';
import { messageAtEvent, type MessageAtEvent } from './message-at-event.js';

type Reacted = RecordedEvent<EventOf<typeof ReactionAdded> | EventOf<typeof ReactionRemoved>>;

interface ReactedMessage extends MessageAtEvent {
  /** The direct conversations of the person who reacted; null where everybody whom it reaches knows them. */
  readonly conversations: DirectConversations | null;
}

/** Reads the message of a reaction, and who may know the person who reacted. */
export async function reactedMessage(
  event: Reacted,
  models: MessageModels,
  snapshot: Snapshot,
): Promise<ReactedMessage> {
  const found = await messageAtEvent(event, models);
  const isInChannel = found.place !== null && found.place.channelId !== null;
  if (!isInChannel || !hidesPeople(snapshot)) return { ...found, conversations: null };
  const conversations = await models.directConversations([event.data.userId]);
  return { ...found, conversations: conversations.asOf(event.position) };
}

/** The client event of a reaction. */
export function reactionEvents(
  { data: { messageId, userId, emoji } }: Reacted,
  op: 'add' | 'remove',
  { place, conversations, ...view }: VisibilityContext & ReactedMessage,
): readonly AddressedEvent[] {
  if (place === null) return [];
  const event = {
    type: 'reaction',
    op,
    message_id: messageId,
    user_id: userId,
    emoji_name: emoji.name,
    emoji_code: emoji.code,
    reaction_type: emoji.type,
  };
  const { snapshot } = view;
  const user = snapshot.directory.user(userId);
  const older = { ...event, user: reactingUser(userId, snapshot.directory, true) };
  const olderHidden = { ...event, user: reactingUser(userId, snapshot.directory, false) };
  return [
    {
      to: getsActsOn(place, userId, view),
      types: ['reaction'],
      event: ({ user: viewer, options }) => {
        if (!saysNothing(options.capabilities)) return event;
        const isKnown =
          conversations === null || user === null || mayKnow(snapshot, { viewer, conversations }, user);
        return isKnown ? older : olderHidden;
      },
    },
  ];
}
