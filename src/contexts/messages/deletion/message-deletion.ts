import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import type { Decisions } from '../../../http/decisions.js';
import type { EventMetadata } from '../../../kernel/event.js';
import { decideDeleteWithoutCheck, type MessageToDelete } from './deletion.decide.js';
import { placeFields } from '../message-document.js';
import { deletionStateOf } from '../message.state.js';

/** The fields of a message's document that make a {@link MessageToDelete}. */
export const deletionFields = { ...placeFields, senderId: 1 } as const;

/** Deletes a message with no actor, unless it is deleted already. */
export function deleteByServer(
  decisions: Decisions,
  message: MessageToDelete,
  { commandId, causationId, at }: Pick<EventMetadata, 'commandId' | 'causationId' | 'at'>,
): Promise<void> {
  return deleteMessage(decisions, message, serverMetadata(commandId, at, causationId));
}

/** Deletes a message, unless it is deleted already. */
export async function deleteMessage(
  decisions: Decisions,
  message: MessageToDelete,
  metadata: EventMetadata,
): Promise<void> {
  await decisions.record(metadata, deletionStateOf(message._id), (isDeleted) =>
    decideDeleteWithoutCheck(isDeleted, message),
  );
}
