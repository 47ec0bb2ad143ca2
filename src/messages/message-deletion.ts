import { serverMetadata } from '../event-store/command-metadata.js';
import type { FoldedStreams } from '../event-store/folded-streams.js';
import type { EventMetadata } from '../kernel/event.js';
import { handle } from '../kernel/handle.js';
import { deletionFold, messageStream, type MessageChange } from './message.js';

/** Deletes a message in nobody's name, unless it is gone already. */
export async function deleteByServer(
  streams: FoldedStreams,
  messageId: number,
  { commandId, causationId, at }: Pick<EventMetadata, 'commandId' | 'causationId' | 'at'>,
): Promise<void> {
  await handle(streams, {
    stream: messageStream(messageId),
    fold: deletionFold,
    decide: (isDeleted): readonly MessageChange[] =>
      isDeleted ? [] : [{ type: 'MessageDeleted', data: { messageId } }],
    metadata: serverMetadata(commandId, at, causationId),
  });
}
