import { CaseHoldLifted, CaseHoldPlaced, type CaseScope } from '../../events/cases.js';
import type { MessageSent } from '../../events/messages.js';
import { isEvent, type Recorded, type RecordedEvent } from '../../kernel/event.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import { isInScope, textTest } from './coverage.js';
import { coveredMessages, coveredOf, type CoveredMessage } from './covered-messages.js';
import { LogNotes } from './log-notes.js';
import { MessageLocations } from './message-locations.js';

/** A legal hold, and what it covers. */
interface Hold {
  readonly caseId: number;
  readonly scope: CaseScope;
  /** Null: any text. */
  readonly words: string | null;
}

const holdEvents = [CaseHoldPlaced, CaseHoldLifted] as const;

/**
 * The holds that stood at any position of the log. They depend only on the log, so the answer is the same whoever
 * asks, and however often or late. A deletion is kept by the holds that were placed before it and lifted after it.
 */
class Holds {
  private readonly notes: LogNotes<RecordedEvent>;

  constructor(log: EventLog) {
    this.notes = new LogNotes({
      store: log.store,
      types: holdEvents.map(({ type }) => type),
      read: (events) => log.decode(events),
    });
  }

  /** The holds that stood right after the event at a position. */
  async at(position: number): Promise<readonly Hold[]> {
    const active = new Map<number, Hold>();
    for (const event of await this.notes.through(position)) {
      if (isEvent(event, CaseHoldPlaced)) {
        const { caseId, scope, words } = event.data;
        active.set(caseId, { caseId, scope, words });
      }
      if (isEvent(event, CaseHoldLifted)) active.delete(event.data.caseId);
    }
    return [...active.values()];
  }
}

/** Something to be erased, and when that was decided. */
interface ToBeErased {
  /** Position of the event that asks for the erasure: the holds that stood at that position decide. */
  readonly position: number;
}

/** A message to be erased, as stored events: the event that sent it first. */
interface MessageToBeErased extends ToBeErased {
  readonly stored: readonly PersistedEvent[];
}

/**
 * Decides what legal holds keep. The decision depends only on the log up to the event that asks for an erasure, so it
 * is the same whoever asks, and however late or often. A hold keeps what is deleted after it was placed and before it
 * was lifted.
 */
export class LegalHolds {
  private readonly holds: Holds;
  private readonly locations: MessageLocations;

  constructor(private readonly log: EventLog) {
    this.holds = new Holds(log);
    this.locations = new MessageLocations(log);
  }

  /** Whether any hold stood at a position of the log. */
  async anyAt(position: number): Promise<boolean> {
    return (await this.holds.at(position)).length > 0;
  }

  /** Ids of the cases whose holds keep a message, ascending. */
  async casesOfMessage({ stored, position }: MessageToBeErased): Promise<readonly number[]> {
    const holds = await this.holds.at(position);
    if (holds.length === 0) return [];
    await this.locations.load(position);
    const events = await this.log.decode(stored);
    const message = coveredOf({ stored, events }, this.locations, position);
    const { at } = (events[0] as Recorded<typeof MessageSent>).metadata;
    return idsOf(holds.filter((hold) => covers(hold, message, at)));
  }

  /**
   * Ids of the cases whose holds keep records, other than messages, that a person discarded: the cases about that
   * person, and those about everybody in every place.
   */
  async casesOfRecord(userId: number, { position }: ToBeErased): Promise<readonly number[]> {
    const holds = await this.holds.at(position);
    return idsOf(holds.filter(({ scope }) => isAbout(scope.userIds, scope.channelIds, userId)));
  }

  /**
   * Ids of all cases with holds: which messages refer to a file, in any version, is only known by reading everything
   * that they cover.
   */
  async casesOfFile({ position }: ToBeErased): Promise<readonly number[]> {
    return idsOf(await this.holds.at(position));
  }

  /**
   * Ids of the cases whose holds keep something that is erased together with a person. Reads everything that the holds
   * cover.
   *
   * @param goes whether a message, or something that it shows, is erased with the person
   */
  async casesOfPerson(
    userId: number,
    { position }: ToBeErased,
    goes: (message: CoveredMessage) => boolean,
  ): Promise<readonly number[]> {
    const keeping: Hold[] = [];
    for (const hold of await this.holds.at(position)) {
      if (hold.scope.userIds.includes(userId) || (await this.hasSome(hold, position, goes)))
        keeping.push(hold);
    }
    return idsOf(keeping);
  }

  private async hasSome(
    { scope, words }: Hold,
    through: number,
    goes: (message: CoveredMessage) => boolean,
  ): Promise<boolean> {
    for await (const message of coveredMessages(
      { log: this.log, locations: this.locations },
      { scope, words, through },
    )) {
      if (message.versions.some(({ erased }) => !erased) && goes(message)) return true;
    }
    return false;
  }
}

/** A text that cannot be read any more may have contained the words, so it counts as covered. */
function covers(
  { scope, words }: Hold,
  { senderId, locations, versions }: CoveredMessage,
  at: number,
): boolean {
  const places = locations.map(({ place }) => place);
  if (!isInScope(scope, { senderId, places, at })) return false;
  const says = textTest(words);
  return versions.some(({ content, erased }) => erased || says(content));
}

function isAbout(userIds: readonly number[], channelIds: readonly number[], userId: number): boolean {
  return userIds.includes(userId) || (userIds.length === 0 && channelIds.length === 0);
}

function idsOf(holds: readonly Hold[]): readonly number[] {
  return holds.map(({ caseId }) => caseId).sort((one, other) => one - other);
}
