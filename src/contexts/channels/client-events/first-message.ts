import type { Snapshot } from '../../../access/snapshot.js';
import type { AddressedEvent } from '../../../realtime/mapper.js';
import type { Activities } from './channel-access.js';
import { channelChanged } from './channels.js';

/** What is known of a channel when messages have left it or come to it. */
interface Shifted {
  readonly snapshot: Snapshot;
  readonly activities: Activities;
  /** Id of the oldest message that left or came. */
  readonly oldestId: number;
}

/**
 * The client event about the id of a channel's first message, which clients store. None if a message that is older than
 * those that left or came is still the first.
 */
export function firstMessageEvents(
  channelId: number,
  { snapshot, activities, oldestId }: Shifted,
): readonly AddressedEvent[] {
  const value = activities.get(channelId)?.firstMessageId ?? null;
  if (value !== null && value < oldestId) return [];
  return channelChanged(channelId, snapshot, { property: 'first_message_id', value });
}
