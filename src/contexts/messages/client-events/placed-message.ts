import type { RecordedEvent } from '../../../kernel/event.js';
import type { MessageModels } from '../client-models.js';
import type { MessageDocument } from '../message-document.js';
import type { VisibilityContext } from './message-audience.js';

/** An event about one message. */
type EventOfMessage = Pick<RecordedEvent, 'position'> & { readonly data: { readonly messageId: number } };

/** A message and what decides who can see it. */
export interface PlacedMessage extends Omit<VisibilityContext, 'snapshot'> {
  /** The message where it lay at the event; null when it is gone. */
  readonly place: MessageDocument | null;
}

/** Reads a message where it lay at an event, with what decides who can see it. */
export async function placed(
  { position, data: { messageId } }: EventOfMessage,
  models: MessageModels,
): Promise<PlacedMessage> {
  const message = await models.message(messageId);
  const [place = null] = message === null ? [] : await models.placedAt([message.document], position);
  return { place, ...(await viewed(models)) };
}

/** Reads what decides who can see messages. */
export async function viewed(models: MessageModels): Promise<Omit<VisibilityContext, 'snapshot'>> {
  const [placements, flags] = await Promise.all([models.placements(), models.flagsOfListeners()]);
  return { placements, flags };
}
