import { serverMetadata } from '../event-store/command-metadata.js';
import type { FoldedStreams } from '../event-store/folded-streams.js';
import type { EventMetadata } from '../kernel/event.js';
import { handle } from '../kernel/handle.js';
import { deletionFold, messageStream, type MessageChange } from './message.js';

/** Deletes a message in nobody's name, unless it is gone already. */
export function deleteByServer(
  streams: FoldedStreams,
  messageId: number,
  { commandId, causationId, at }: Pick<EventMetadata, 'commandId' | 'causationId' | 'at'>,
): Promise<void> {
  return deleteMessage(streams, messageId, serverMetadata(commandId, at, causationId));
}

/** Deletes a message, unless it is gone already. */
export async function deleteMessage(
  streams: FoldedStreams,
  messageId: number,
  metadata: EventMetadata,
): Promise<void> {
  await handle(streams, {
    stream: messageStream(messageId),
    fold: deletionFold,
    decide: (isDeleted): readonly MessageChange[] =>
      isDeleted ? [] : [{ type: 'MessageDeleted', data: { messageId } }],
    metadata,
  });
}
