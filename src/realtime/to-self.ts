import type { ClientEvent } from './client-event.js';
import type { AddressedEvent } from './mapper.js';

/** For the clients of one person alone. */
export function toSelf(
  { userId }: { readonly userId: number },
  event: ClientEvent,
): readonly AddressedEvent[] {
  return [{ to: [userId], event }];
}
