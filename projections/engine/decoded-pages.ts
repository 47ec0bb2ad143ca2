import type { EventLog } from '../../src/stores/event-store/event-log.js';
import {
  EventStoreUnavailableError,
  type EventPage,
  type PersistedEvent,
} from '../../src/stores/event-store/port.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { PoisonEventError, isAboutStores } from './poison-event.js';

/** A page of the log, decoded as far as possible. */
export interface DecodedPage {
  readonly events: readonly RecordedEvent[];
  /** The event that could not be decoded; it and what follows it are not among `events`. */
  readonly poison: PoisonEventError | null;
  readonly position: number;
  readonly live: boolean;
}

/** What part of the log to follow. */
export interface FollowedPart {
  /** Only events after this position; null: from the beginning. */
  readonly after: number | null;
  readonly types: readonly string[];
  readonly pageSize: number;
  /** Ids of events that are passed over, as if they were not there. */
  readonly discarded?: ReadonlySet<string>;
  /** Of these types, only such events; what an event may say that is encrypted, cannot be asked for. Absent: all of them. */
  readonly concerns?: ((event: PersistedEvent) => boolean) | undefined;
  /** Whether what is erasable stays encrypted, with placeholders in its place. Absent: it is decrypted. */
  readonly clearOnly?: boolean | undefined;
  /** Ends the iteration normally. */
  readonly signal: AbortSignal;
}

/**
 * Follows the log in decoded pages, until the signal is aborted. While catching up, the next page is read and decoded as this one is worked on; once
 * live it is not, so that whatever arrives during the work comes as one page.
 */
export async function* decodedPages(log: EventLog, part: FollowedPart): AsyncGenerator<DecodedPage, void> {
  const left = new AbortController();
  const signal = AbortSignal.any([part.signal, left.signal]);
  const pages = log.store.subscribeAll({ ...part, signal })[Symbol.asyncIterator]();
  const decode: Decode = (events) => (part.clearOnly ? log.decodeClear(events) : log.decode(events));
  const read = async (): Promise<DecodedPage | null> => {
    const next = await pages.next();
    return next.done ? null : decodePage(decode, remaining(next.value, part));
  };
  let ahead: Promise<DecodedPage | null> | null = null;
  try {
    for (;;) {
      const page: DecodedPage | null = await (ahead ?? read());
      if (page === null) break;
      ahead = page.live ? null : read();
      // Its error is met when the page is asked for; until then nobody may be listening.
      ahead?.catch(() => {});
      yield page;
    }
  } finally {
    left.abort();
  }
  if (!part.signal.aborted)
    throw new EventStoreUnavailableError('The log was closed while it was followed', false);
}

function remaining(page: EventPage, { discarded, concerns }: FollowedPart): EventPage {
  const hasDiscarded = discarded !== undefined && discarded.size > 0;
  if (!hasDiscarded && concerns === undefined) return page;
  const isLeft = (event: PersistedEvent): boolean =>
    discarded?.has(event.id) !== true && concerns?.(event) !== false;
  return { ...page, events: page.events.filter(isLeft) };
}

type Decode = (events: readonly PersistedEvent[]) => Promise<readonly RecordedEvent[]>;

async function decodePage(decode: Decode, page: EventPage): Promise<DecodedPage> {
  const { position, live } = page;
  try {
    const events = page.events.length === 0 ? [] : await decode(page.events);
    return { events, poison: null, position, live };
  } catch (error) {
    if (isAboutStores(error)) throw error;
    return { ...(await decodeOneByOne(decode, page.events)), position, live };
  }
}

async function decodeOneByOne(
  decode: Decode,
  events: readonly PersistedEvent[],
): Promise<Pick<DecodedPage, 'events' | 'poison'>> {
  const decoded: RecordedEvent[] = [];
  for (const event of events) {
    try {
      decoded.push(...(await decode([event])));
    } catch (error) {
      return { events: decoded, poison: new PoisonEventError(event, error) };
    }
  }
  return { events: decoded, poison: null };
}
