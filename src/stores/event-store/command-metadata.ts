import type { EventMetadata } from '../../kernel/event.js';
import { randomCommandId } from './event-id.js';

/** The name of the client that the server itself is. */
export const serverClient = 'Internal';

/**
 * Metadata of what somebody asks for, by a request that nobody can send again.
 *
 * @param by who asks, as far as is known (null: somebody who is not logged in), and by which client
 */
export function requestMetadata(
  { userId, client }: { readonly userId: number | null; readonly client: string },
  /** Milliseconds since the UNIX epoch. */
  at: number,
): EventMetadata {
  return { actorId: userId, commandId: randomCommandId(), causationId: null, client, at };
}

/** Metadata of what the server does in nobody's name. */
export function serverMetadata(
  commandId: string,
  /** Milliseconds since the UNIX epoch. */
  at: number,
  /** Id of the event because of which it is done; null: because of the time, or of nothing in the log. */
  causationId: string | null = null,
): EventMetadata {
  return { actorId: null, commandId, causationId, client: serverClient, at };
}
