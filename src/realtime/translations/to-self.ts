import type { ClientEvent } from '../client-event.js';
import type { Notice } from '../translation.js';

/** For the clients of one person alone. */
export function toSelf({ userId }: { readonly userId: number }, event: ClientEvent): readonly Notice[] {
  return [{ to: [userId], event }];
}
