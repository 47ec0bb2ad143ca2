import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import type { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { EventMetadata, EventOf } from '../../kernel/event.js';
import { handle } from '../../kernel/handle.js';
import type { MessageDeleted } from '../../events/messages.js';
import { placeFields, recipientOf, type MessagePlacement } from './message-document.js';
import { deletionStateOf, type MessageChange } from './message.state.js';

/** A message that is to go, with what its deletion records of it. */
export type MessageToDelete = MessagePlacement & { readonly _id: number; readonly senderId: number };

/** What of a message's document a {@link MessageToDelete} is. */
export const deletionFields = { ...placeFields, senderId: 1 } as const;

/** Deletes a message in nobody's name, unless it is gone already. */
export function deleteByServer(
  streams: FoldedStreams,
  message: MessageToDelete,
  { commandId, causationId, at }: Pick<EventMetadata, 'commandId' | 'causationId' | 'at'>,
): Promise<void> {
  return deleteMessage(streams, message, serverMetadata(commandId, at, causationId));
}

/** Deletes a message, unless it is gone already. */
export async function deleteMessage(
  streams: FoldedStreams,
  message: MessageToDelete,
  metadata: EventMetadata,
): Promise<void> {
  await handle(streams, {
    ...deletionStateOf(message._id),
    decide: (isDeleted): readonly MessageChange[] => (isDeleted ? [] : [deletionOf(message)]),
    metadata,
  });
}

function deletionOf(message: MessageToDelete): EventOf<typeof MessageDeleted> {
  const { _id: messageId, senderId } = message;
  return { type: 'MessageDeleted', data: { messageId, senderId, recipient: recipientOf(message) } };
}
