import type { RecordedEvent } from '../../kernel/event.js';
import { isReadable, type UnreadableEvent } from '../../stores/event-store/readable-events.js';
import { channelTables } from './channels.sentences.js';
import { messageTables } from './messages.sentences.js';
import { organizationTables } from './organization.sentences.js';
import { peopleTables } from './people.sentences.js';
import { personalTables } from './personal.sentences.js';
import { securityTables } from './security.sentences.js';
import { serverTables } from './server.sentences.js';
import { EventFormatter, type Sentence, type SentenceTable } from './event-formatter.js';
import type { NameHistory } from './name-history.js';

/** All tables of sentences. Each event type is in one of them. */
export const sentenceTables: readonly SentenceTable[] = [
  ...channelTables,
  ...messageTables,
  ...organizationTables,
  ...peopleTables,
  ...personalTables,
  ...securityTables,
  ...serverTables,
];

/** The sentence of every event type, by type. Each gets the data of its type, as the log returns it. */
const sentences = new Map(
  sentenceTables.flatMap((table) => Object.entries(table)) as [type: string, Sentence<unknown>][],
);

/** What a sentence may tell beside the event. */
export interface MovedCount {
  /** How many messages a move took along; absent: the event is no move, or the number is unknown. */
  readonly moved_messages?: number;
}

/** The first letter of a sentence that does not begin with a name. */
const unnamed = /^[a-z](?=ser \d|omebody |he server )/;

/** The types of events that have a sentence. */
export const describedEventTypes: ReadonlySet<string> = new Set(sentences.keys());

/**
 * Returns one plain-English sentence about an event, with the names of that time. It contains no characters that a
 * terminal interprets, and none that a browser interprets except those that HTML escapes. Long texts are cut; the
 * event has the whole text.
 *
 * @throws Error for a type without a sentence; a test ensures that there is none
 */
export function sentenceOf(
  { type, data, position, metadata, erased, moved_messages: moved }: RecordedEvent & MovedCount,
  names: Pick<NameHistory, 'nameAt'>,
): string {
  const sentence = sentences.get(type);
  if (sentence === undefined) throw new Error(`There is no sentence for ${type}`);
  const format = new EventFormatter((kind, id) => names.nameAt(kind, id, position), metadata, moved);
  const words = withActor(sentence(data, format), data, format).replace(unnamed, (first) =>
    first.toUpperCase(),
  );
  return `${words}${erased ? ' What people wrote in it is erased.' : ''}`;
}

/** Names the actor of an event of somebody else whose sentence does not. */
function withActor(words: string, data: unknown, format: EventFormatter): string {
  const { userId } = data as { readonly userId?: unknown };
  const isOfAnother = typeof userId === 'number' && format.isByPerson && !format.isActor(userId);
  return isOfAnother && !format.namesActor ? `By an action of ${format.actor}: ${words}` : words;
}

/** The sentence of each event; null for those that cannot be read. */
export function sentencesOf(
  events: readonly ((RecordedEvent | UnreadableEvent) & MovedCount)[],
  names: Pick<NameHistory, 'nameAt'>,
): readonly (string | null)[] {
  return events.map((event) => (isReadable(event) ? sentenceOf(event, names) : null));
}
