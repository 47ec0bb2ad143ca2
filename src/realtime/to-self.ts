import type { ClientEvent } from './client-event.js';
import type { AddressedEvent } from './mapper.js';

/** A client event for the clients of one person. */
export function toSelf(
  { userId }: { readonly userId: number },
  event: ClientEvent,
): readonly AddressedEvent[] {
  return [{ to: [userId], event }];
}
