import type { Recipient } from '../../../events/messages.js';
import { csvLine } from '../../csv-line.js';
import type { CoveredMessage } from '../covered-messages.js';
import type { NamedPlace } from '../tasks/case-task.js';
import { namedPlace, nameOf, type CaseNames } from '../tasks/search-case.js';

/** Who did something and when, as ISO 8601. */
interface BundledAct {
  readonly at: string;
  /** Null: the server itself. */
  readonly by_id: number | null;
  readonly by_name: string | null;
}

/** A message as a line of `messages.ndjson`. */
export interface BundledMessage {
  readonly message_id: number;
  readonly sender_id: number;
  readonly sender_name: string | null;
  /** Every place that it was in, in order. */
  readonly places: readonly NamedPlace[];
  /** The last place, in words. */
  readonly place_name: string;
  /** The earlier places, in words. */
  readonly moved_from: readonly string[];
  readonly versions: readonly {
    /** Starts at 1, which is the text that was sent. */
    readonly number: number;
    readonly written: string;
    readonly by_id: number | null;
    readonly by_name: string | null;
    /** Null: its key was destroyed. */
    readonly text: string | null;
  }[];
  /** Null: it was not deleted. */
  readonly deleted: BundledAct | null;
  /** Uploads that any of its versions refers to. */
  readonly upload_ids: readonly number[];
}

/** An upload and its path in the bundle; null: the file does not exist any more. */
export interface BundledFile {
  readonly id: number;
  readonly name: string;
  readonly entry: string | null;
}

/** Converts a message of a case to the form in which a bundle shows it. */
export function bundledMessage(message: CoveredMessage, names: CaseNames): BundledMessage {
  const { messageId, senderId, locations, versions, deletedAt, deletedBy } = message;
  const person = (id: number | null): string | null => (id === null ? null : nameOf(names, 'person', id));
  const places = locations.map(({ place }) => placeName(place, names));
  return {
    message_id: messageId,
    sender_id: senderId,
    sender_name: person(senderId),
    places: locations.map(({ place }) => namedPlace(place, names)),
    place_name: places.at(-1)!,
    moved_from: places.slice(0, -1),
    versions: versions.map(({ content, erased, at, actorId }, index) => ({
      number: index + 1,
      written: isoTime(at),
      by_id: actorId,
      by_name: person(actorId),
      text: erased ? null : content,
    })),
    deleted:
      deletedAt === null ? null : { at: isoTime(deletedAt), by_id: deletedBy, by_name: person(deletedBy) },
    upload_ids: [...new Set(versions.flatMap(({ uploadIds }) => uploadIds))],
  };
}

export const TABLE_HEADING = csvLine([
  'message',
  'sender',
  'sender_name',
  'place',
  'version',
  'written',
  'written_by',
  'state',
  'deleted',
  'text',
]);

/** Returns the lines of `messages.csv` for a message: one for each version. */
export function tableLines(message: BundledMessage): readonly string[] {
  const { message_id, sender_id, sender_name, place_name, versions, deleted } = message;
  return versions.map(({ number, written, by_id, text }) => {
    const state = text === null ? 'erased' : number === versions.length ? 'latest' : 'earlier';
    return csvLine([
      String(message_id),
      String(sender_id),
      sender_name ?? '',
      place_name,
      String(number),
      written,
      by_id === null ? '' : String(by_id),
      state,
      deleted?.at ?? '',
      text ?? '',
    ]);
  });
}

/** Names a place in words, with the present names. */
export function placeName(place: Recipient, names: CaseNames): string {
  if (place.type === 'channel')
    return `#${nameOf(names, 'channel', place.channelId) ?? place.channelId} > ${place.topic}`;
  const people = place.userIds.map((id) => nameOf(names, 'person', id) ?? String(id));
  return `direct messages of ${people.join(', ')}`;
}

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
