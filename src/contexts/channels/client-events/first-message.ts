import type { Snapshot } from '../../../access/snapshot.js';
import type { AddressedEvent } from '../../../realtime/mapper.js';
import type { Activities } from './channel-access.js';
import { channelChanged } from './channels.js';

/** What is known of a channel once messages left it, or came. */
interface Shifted {
  readonly snapshot: Snapshot;
  readonly activities: Activities;
  /** Id of the oldest message that left or came. */
  readonly oldestId: number;
}

/** Clients keep which message of a channel is its first: the one that left stood before it, or the one that came is it. */
export function firstMessageEvents(
  channelId: number,
  { snapshot, activities, oldestId }: Shifted,
): readonly AddressedEvent[] {
  const value = activities.get(channelId)?.firstMessageId ?? null;
  if (value !== null && value < oldestId) return [];
  return channelChanged(channelId, snapshot, { property: 'first_message_id', value });
}
