import type { MessageSent } from '../../events/messages.js';
import type { Recorded } from '../../kernel/event.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import { isInScope, textTest } from './coverage.js';
import { coveredMessages, coveredOf, type CoveredMessage } from './covered-messages.js';
import { Holds, type Hold } from './holds.js';
import { Placements } from './placements.js';

/** Something that is to be erased, and when that was decided. */
export interface ToBeErased {
  /** Position of the event because of which it is to be erased: the holds that stood then decide. */
  readonly position: number;
}

/** A message that is to be erased, as it is stored: its sending first. */
export interface MessageToBeErased extends ToBeErased {
  readonly stored: readonly PersistedEvent[];
}

/**
 * What legal holds keep. It follows from the log up to the event that asks for an erasure, so that it is the same whoever asks, how late
 * and how often: a hold keeps what is deleted after it was placed and before it was lifted.
 */
export class HeldMessages {
  private readonly holds: Holds;
  private readonly placements: Placements;

  constructor(private readonly log: EventLog) {
    this.holds = new Holds(log);
    this.placements = new Placements(log);
  }

  /** Whether any hold stood at a position of the log. */
  async anyAt(position: number): Promise<boolean> {
    return (await this.holds.at(position)).length > 0;
  }

  /** Ids of the cases whose holds keep a message, rising. */
  async casesOfMessage({ stored, position }: MessageToBeErased): Promise<readonly number[]> {
    const holds = await this.holds.at(position);
    if (holds.length === 0) return [];
    await this.placements.load(position);
    const events = await this.log.decode(stored);
    const message = coveredOf({ stored, events }, this.placements, position);
    const { at } = (events[0] as Recorded<typeof MessageSent>).metadata;
    return idsOf(holds.filter((hold) => covers(hold, message, at)));
  }

  /**
   * Ids of the cases whose holds keep the records other than messages that a person discarded: cases about that person, and those
   * that cover everybody in every place.
   */
  async casesOfRecord(userId: number, { position }: ToBeErased): Promise<readonly number[]> {
    const holds = await this.holds.at(position);
    return idsOf(holds.filter(({ scope }) => isAbout(scope.userIds, scope.channelIds, userId)));
  }

  /** Ids of the cases that have holds: which messages name a file, in any version, only all of them together tell. */
  async casesOfFile({ position }: ToBeErased): Promise<readonly number[]> {
    return idsOf(await this.holds.at(position));
  }

  /**
   * Ids of the cases whose holds keep something that goes when a person is erased. Looks through all that the holds cover.
   *
   * @param goes whether a message goes with the person, or something that it shows
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
      { log: this.log, placements: this.placements },
      { scope, words, through },
    )) {
      if (message.versions.some(({ erased }) => !erased) && goes(message)) return true;
    }
    return false;
  }
}

/** A text that cannot be read any more may have had the words: it is kept rather than not. */
function covers(
  { scope, words }: Hold,
  { senderId, placements, versions }: CoveredMessage,
  at: number,
): boolean {
  const places = placements.map(({ place }) => place);
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
