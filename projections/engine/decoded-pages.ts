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
  /** The event that could not be decoded. It and the events after it are not in `events`. */
  readonly poison: PoisonEventError | null;
  readonly position: number;
  readonly live: boolean;
}

/** Which part of the log to follow. */
interface FollowedPart {
  /** Only events after this position; null: from the beginning. */
  readonly after: number | null;
  readonly types: readonly string[];
  readonly pageSize: number;
  /** Ids of discarded events, which are skipped. */
  readonly discarded?: ReadonlySet<string>;
  /** Restricts events of these types to those that match, by their unencrypted data. Absent: all of them. */
  readonly concerns?: ((event: PersistedEvent) => boolean) | undefined;
  /** Whether erasable fields are not decrypted but replaced by placeholders. Absent: they are decrypted. */
  readonly skipsDecryption?: boolean | undefined;
  /** By how many milliseconds a page without events may be late. Absent: 0. */
  readonly positionDelay?: number;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
}

/**
 * Follows the log in decoded pages until the signal is aborted. While it catches up, it reads and decodes the next page during the work on
 * this one. Once it has caught up it does not, so that all events that arrive during the work come as one page.
 */
export async function* decodedPages(log: EventLog, part: FollowedPart): AsyncGenerator<DecodedPage, void> {
  const left = new AbortController();
  const signal = AbortSignal.any([part.signal, left.signal]);
  const pages = log.store.subscribeAll({ ...part, signal })[Symbol.asyncIterator]();
  const decode = decoderOf(log, part.skipsDecryption);
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
      // Prevents an unhandled rejection: the error is thrown when the page is requested.
      ahead?.catch(() => {});
      yield page;
    }
  } finally {
    left.abort();
  }
  if (!part.signal.aborted)
    throw new EventStoreUnavailableError('The log was closed while it was followed', false);
}

/**
 * Decodes one stored event, as {@link decodedPages} does.
 *
 * @throws PoisonEventError when it cannot be decoded
 */
export async function decodedEvent(
  log: EventLog,
  stored: PersistedEvent,
  { skipsDecryption }: Pick<FollowedPart, 'skipsDecryption'>,
): Promise<RecordedEvent> {
  const page = { events: [stored], position: stored.position, live: true };
  const { events, poison } = await decodePage(decoderOf(log, skipsDecryption), page);
  if (poison !== null) throw poison;
  return events[0]!;
}

function decoderOf(log: EventLog, skipsDecryption = false): Decode {
  return (events) => (skipsDecryption ? log.decodeWithoutDecrypting(events) : log.decode(events));
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
