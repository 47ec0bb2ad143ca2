import { csvLine } from '../../audit/csv-line.js';
import type { TimelineChange, MessageTimeline } from '../../audit/message-timeline/message-timeline.js';
import type { MessageLocation } from '../../audit/message-timeline/message-track.js';
import type { MessageView } from '../../audit/past/message-views.js';

/** What a place was called at a position of the log. */
export type PlaceAt = (location: MessageLocation, position: number) => string;

/**
 * The history of a message as comma-separated values under a heading: one line for each step, with the new text or the
 * new place where the step changed it.
 *
 * @param sentences a description of each step, in the same order; null: the event cannot be read
 */
export function timelineInCsv(
  { steps }: MessageTimeline,
  sentences: readonly (string | null)[],
  placeAt: PlaceAt,
): readonly string[] {
  const heading = ['position', 'time', 'change', 'actor_id', 'client', 'place', 'content', 'what_happened'];
  const rows = steps.map(({ position, at, change, actorId, client }, index) => {
    const location = placeIn(change);
    return [
      String(position),
      // The metadata of an event that cannot be read is not trusted, so its time is left out.
      change.kind === 'unreadable' ? '' : isoTime(at),
      change.kind,
      actorId === null ? '' : String(actorId),
      client,
      location === null ? '' : placeAt(location, position),
      'content' in change ? change.content : '',
      sentences[index] ?? unreadableText(change),
    ];
  });
  return [heading, ...rows].map(csvLine);
}

/** What somebody could see of a message, from each position until the next, in the same form. */
export function viewsInCsv(views: readonly MessageView[], placeAt: PlaceAt): readonly string[] {
  const heading = ['position', 'time', 'access', 'place', 'content', 'flags'];
  const rows = views.map(({ position, at, message }) => {
    const moment = [String(position), isoTime(at)];
    if (message === null) return [...moment, 'none', '', '', ''];
    const { stream_id: channelId, subject: topic, flags, content } = message;
    return [
      ...moment,
      flags.includes('historical') ? 'historical' : 'received',
      channelId === undefined ? 'direct' : placeAt({ type: 'channel', channelId, topic }, position),
      content,
      flags.join(' '),
    ];
  });
  return [heading, ...rows].map(csvLine);
}

/** The channel or conversation of the message after the change; null: the change did not move it. */
function placeIn(change: TimelineChange): MessageLocation | null {
  if (change.kind === 'sent') return change.location;
  return change.kind === 'moved' ? change.to : null;
}

function unreadableText(change: TimelineChange): string {
  return change.kind === 'unreadable' ? `(unreadable) ${change.type}: ${change.reason}` : '';
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
