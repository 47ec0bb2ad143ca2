import type { MessageModels } from '../client-models.js';
import type { CachedMessage } from '../view/cached-message.js';
import type { VisibilityContext } from './message-audience.js';

/** A message and what decides who can see it. */
export interface PlacedMessage extends Omit<VisibilityContext, 'snapshot'> {
  readonly message: CachedMessage | null;
}

/** Reads a message with what decides who can see it. */
export async function placed(messageId: number, models: MessageModels): Promise<PlacedMessage> {
  return { message: await models.message(messageId), ...(await viewed(models)) };
}

/** Reads what decides who can see messages. */
export async function viewed(models: MessageModels): Promise<Omit<VisibilityContext, 'snapshot'>> {
  const [placements, flags] = await Promise.all([models.placements(), models.flagsOfListeners()]);
  return { placements, flags };
}
