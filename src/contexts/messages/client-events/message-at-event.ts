import type { RecordedEvent } from '../../../kernel/event.js';
import type { MessageModels } from './client-models.js';
import type { MessageDocument } from '../message-document.js';
import type { VisibilityContext } from './message-audience.js';

/** An event about one message. */
type EventOfMessage = Pick<RecordedEvent, 'position'> & { readonly data: { readonly messageId: number } };

/** A message and what decides who can see it. */
export interface MessageAtEvent extends Omit<VisibilityContext, 'snapshot'> {
  /** The message where it lay at the event; null when it is gone. */
  readonly place: MessageDocument | null;
}

/** Reads a message where it lay at an event, with what decides who can see it. */
export async function messageAtEvent(
  { position, data: { messageId } }: EventOfMessage,
  models: MessageModels,
): Promise<MessageAtEvent> {
  const message = await models.message(messageId);
  const [place = null] = message === null ? [] : await models.placedAt([message.document], position);
  return { place, ...(await visibilityContextOf(place, models)) };
}

/** What a text of a message decides of the flags of those who see it. */
export interface TextFlags {
  readonly mentions: MessageDocument['mentions'];
  /** Whose alert words it contains; null: it is the present text. */
  readonly alertedIds: readonly number[] | null;
}

/** The message with the mentions and the alerted people of a text that it had. */
export function withTextFlags(
  document: MessageDocument,
  { mentions, alertedIds }: TextFlags,
): MessageDocument {
  if (alertedIds === null) return document;
  const { participantIds } = document;
  const alerted = alertedIds.filter((id) => participantIds?.includes(id) ?? true);
  return { ...document, mentions, alertedIds: alerted };
}

/**
 * Reads what decides who can see a message. Flags are read only of people who may see it; null: the message is gone, and
 * nobody is notified.
 */
export async function visibilityContextOf(
  place: Pick<MessageDocument, 'participantIds'> | null,
  models: MessageModels,
): Promise<Omit<VisibilityContext, 'snapshot'>> {
  const among = place === null ? [] : (place.participantIds ?? 'everyone');
  const [placements, flags] = await Promise.all([models.placements(), models.flagsOfListeners(among)]);
  return { placements, flags };
}
