import {
  matchesQuery,
  parseTextQuery,
  type TextQuery,
} from '../../contexts/messages/text-search/text-query.js';
import type { CaseScope } from '../../events/cases.js';
import type { Recipient } from '../../events/messages.js';

/** The facts about a message, other than its text, that decide whether a case covers it. */
interface MessageFacts {
  readonly senderId: number;
  /** Every place that it was in. */
  readonly places: readonly Recipient[];
  /** When it was sent, in milliseconds since the UNIX epoch. */
  readonly at: number;
}

/** Whether a message is in a scope. */
export function isInScope(
  { userIds, channelIds, since, until }: CaseScope,
  { senderId, places, at }: MessageFacts,
): boolean {
  return (
    (since === null || at >= since) &&
    (until === null || at <= until) &&
    (userIds.length === 0 || userIds.includes(senderId) || places.some((place) => isWith(place, userIds))) &&
    (channelIds.length === 0 ||
      places.some((place) => place.type === 'channel' && channelIds.includes(place.channelId)))
  );
}

/** Returns a test of texts for the words of a case; null accepts every text. */
export function textTest(words: string | null): (text: string) => boolean {
  const query: TextQuery | null = words === null ? null : parseTextQuery(words);
  return (content) => query === null || matchesQuery(query, { content, topic: null });
}

function isWith(place: Recipient, userIds: readonly number[]): boolean {
  return place.type === 'direct' && place.userIds.some((id) => userIds.includes(id));
}
