import type { Recipient } from '../../../events/messages.js';
import { budgets } from '../../../kernel/budgets.js';
import { toSeconds } from '../../../kernel/clock.js';
import type { EventLog } from '../../../stores/event-store/event-log.js';
import type { NameHistory } from '../../sentences/name-history.js';
import { textTest } from '../coverage.js';
import type { CoveredMessage } from '../covered-messages.js';
import type { CaseHit, CaseHits, CaseTaskRun, NamedPlace, SearchInput } from './case-task.js';
import { CaseReader } from './case-reader.js';

/** Length of an excerpt in UTF-16 units, without the ellipses. */
const LENGTH = 240;

/** How many of these units precede the first match. */
const BEFORE = 80;

/** Returns the part of a text around the first match of the words; a short text is returned as a whole. */
export function excerptOf(text: string, query: string): string {
  if (text.length <= LENGTH) return text;
  const lower = text.toLowerCase();
  const places = [...query.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)]
    // The search matches words with other endings too, so only the beginning of a word is looked for.
    .map(([word]) => lower.indexOf(word.length > 5 ? word.slice(0, -2) : word))
    .filter((place) => place >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = Math.max(0, Math.min(first - BEFORE, text.length - LENGTH));
  const cut = text.slice(from, from + LENGTH).toWellFormed();
  return `${from > 0 ? '…' : ''}${cut}${from + LENGTH < text.length ? '…' : ''}`;
}

/** Looks up names at positions of the log. */
export type CaseNames = Pick<NameHistory, 'nameAt'>;

/** Searches every version of what a case covers. Stops when it has found as much as one reply holds. */
export async function searchCase(
  { log, names }: { readonly log: EventLog; readonly names: CaseNames },
  { scope, words, query, after }: SearchInput,
  run: CaseTaskRun,
): Promise<CaseHits> {
  const reader = await CaseReader.begin(log, run);
  const says = textTest(query);
  const hits: CaseHit[] = [];
  let looked = 0;
  for await (const message of reader.messages({ scope, words, after })) {
    looked += 1;
    const hit = hitOf(message, { says, query, names });
    if (hit === null) continue;
    hits.push(hit);
    if (hits.length >= budgets.caseHits.max)
      return { hits, looked, beyond: message.messageId, unreadable_events: reader.unreadable };
  }
  return { hits, looked, beyond: null, unreadable_events: reader.unreadable };
}

interface Looking {
  readonly says: (text: string) => boolean;
  readonly query: string;
  readonly names: CaseNames;
}

function hitOf(message: CoveredMessage, { says, query, names }: Looking): CaseHit | null {
  const { messageId, senderId, locations, versions, deletedAt } = message;
  const found = versions.flatMap(({ content, erased, at }, index) =>
    erased || !says(content)
      ? []
      : {
          number: index + 1,
          written: toSeconds(at),
          is_latest: index === versions.length - 1,
          excerpt: excerptOf(content, query),
        },
  );
  if (found.length === 0) return null;
  return {
    message_id: messageId,
    sender_id: senderId,
    sender_name: nameOf(names, 'person', senderId),
    sent: toSeconds(versions[0]!.at),
    place: namedPlace(locations.at(-1)!.place, names),
    deleted: deletedAt === null ? null : toSeconds(deletedAt),
    // When there are many, the newest: the message's history shows all of them.
    versions: found.slice(-budgets.caseHitVersions.max),
  };
}

/** A place with the present name of its channel. */
export function namedPlace(place: Recipient, names: CaseNames): NamedPlace {
  if (place.type === 'direct') return { type: 'direct', user_ids: place.userIds };
  const { channelId, topic } = place;
  const channel_name = nameOf(names, 'channel', channelId);
  return { type: 'channel', channel_id: channelId, channel_name, topic };
}

/** The present name of something; null: unknown. */
export function nameOf(names: CaseNames, kind: 'person' | 'channel' | 'file', id: number): string | null {
  return names.nameAt(kind, id, Number.MAX_SAFE_INTEGER);
}
