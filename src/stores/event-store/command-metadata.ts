import type { EventMetadata } from '../../kernel/event.js';
import { randomCommandId } from './event-id.js';

/** The client name in events of the server itself. */
export const SERVER_CLIENT = 'Internal';

/**
 * Metadata of a command from a request that cannot be repeated.
 *
 * @param by the account that sent it (null: not logged in), and the client program
 */
export function requestMetadata(
  { userId, client }: { readonly userId: number | null; readonly client: string },
  /** Milliseconds since the UNIX epoch. */
  at: number,
): EventMetadata {
  return { actorId: userId, commandId: randomCommandId(), causationId: null, client, at };
}

/** Metadata of a command that the server gives itself. */
export function serverMetadata(
  commandId: string,
  /** Milliseconds since the UNIX epoch. */
  at: number,
  /** Id of the event that caused it; null: a time or something outside of the log did. */
  causationId: string | null = null,
): EventMetadata {
  return { actorId: null, commandId, causationId, client: SERVER_CLIENT, at };
}
