import {
  matchesQuery,
  parseTextQuery,
  type TextQuery,
} from '../../contexts/messages/text-search/text-query.js';
import type { CaseScope } from '../../events/cases.js';
import type { Recipient } from '../../events/messages.js';

/** What decides whether a case covers a message, beside its words. */
export interface MessageFacts {
  readonly senderId: number;
  /** Every place that it has lain in. */
  readonly places: readonly Recipient[];
  /** When it was sent: milliseconds since the UNIX epoch. */
  readonly at: number;
}

/** Whether a scope lets a message through. */
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

/** The words of a case as a test of texts; null lets every text through. */
export function textTest(words: string | null): (text: string) => boolean {
  const query: TextQuery | null = words === null ? null : parseTextQuery(words);
  return (content) => query === null || matchesQuery(query, { content, topic: null });
}

function isWith(place: Recipient, userIds: readonly number[]): boolean {
  return place.type === 'direct' && place.userIds.some((id) => userIds.includes(id));
}
