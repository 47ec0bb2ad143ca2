import type { PastMoment } from '../audit/moment.js';
import type { PlacementBefore } from '../audit/message-timeline/message-track.js';
import type { MessageDocument } from '../contexts/messages/message-document.js';
import type { PastNode } from './past-node.js';

/** Opens the past of a log. */
export type OpenPast = (moment: PastMoment & { readonly position: number }) => Promise<PastNode>;

/**
 * Reads from a past read model where a message was before a move: the log alone does not tell whether the move
 * included the message.
 */
export function placementsIn(open: OpenPast): PlacementBefore {
  return async (messageId, { position }) => {
    const node = await open({ position: position - 1 });
    try {
      const model = await node.models.get('messages');
      const message = await model.collection<MessageDocument>('messages').findOne({ _id: messageId });
      return message?.arrival ?? null;
    } finally {
      await node.close();
    }
  };
}
