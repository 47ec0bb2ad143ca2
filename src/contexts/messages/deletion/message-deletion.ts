import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import type { FoldedStreams } from '../../../stores/event-store/folded-streams.js';
import type { EventMetadata } from '../../../kernel/event.js';
import { handle } from '../../../kernel/handle.js';
import { decideDeleteWithoutCheck, type MessageToDelete } from './deletion.decide.js';
import { placeFields } from '../message-document.js';
import { deletionStateOf } from '../message.state.js';

/** The fields of a message's document that make a {@link MessageToDelete}. */
export const deletionFields = { ...placeFields, senderId: 1 } as const;

/** Deletes a message with no actor, unless it is deleted already. */
export function deleteByServer(
  streams: FoldedStreams,
  message: MessageToDelete,
  { commandId, causationId, at }: Pick<EventMetadata, 'commandId' | 'causationId' | 'at'>,
): Promise<void> {
  return deleteMessage(streams, message, serverMetadata(commandId, at, causationId));
}

/** Deletes a message, unless it is deleted already. */
export async function deleteMessage(
  streams: FoldedStreams,
  message: MessageToDelete,
  metadata: EventMetadata,
): Promise<void> {
  await handle(streams, {
    ...deletionStateOf(message._id),
    decide: (isDeleted) => decideDeleteWithoutCheck(isDeleted, message),
    metadata,
  });
}
