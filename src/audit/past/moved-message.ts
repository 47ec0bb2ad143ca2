import type { MoveDocument } from '../../contexts/messages/move-documents.js';
import { recipientOf } from '../../contexts/messages/message-document.js';
import { moveEvents } from '../../events/message-moves.js';
import { messagesStream } from '../../events/messages.js';
import { isEvent } from '../../kernel/event.js';
import { isReadable } from '../../stores/event-store/readable-events.js';
import type { Direction, PositionRange } from '../log-index/common-entries.js';
import type { FoundMoves, MovedMessage } from '../log-index/moved-message.js';
import { scannedMoves } from '../message-life.js';
import { MessageTrack } from '../message-track.js';
import { movesTaking } from '../moves-taking.js';
import { arrivalsKnownTo, lacksMoves, modelledMoves, type ModelledMoves } from './message-moves.js';
import type { PastSources } from './past-sources.js';

/** Which moves took a message along, of which there may be many. */
export interface AllMoves extends MovedMessage {
  /** Positions of all of them, rising. */
  all(): Promise<readonly number[]>;
}

/**
 * The moves that took a message along: those that its document in the read model names, and what that has yet to follow. Where that model
 * passed over moves, or does not know the message, the log after its sending is looked through.
 *
 * @throws what the deadline ends it with
 */
export async function movedMessage(sources: PastSources, messageId: number): Promise<AllMoves> {
  const { log, deadline } = sources;
  const modelled = await modelledMoves(sources, messageId);
  const onStep = (): void => deadline.throwIfOver();
  if (modelled !== null && !(await isLacking(sources, messageId)))
    return new NamedMoves(sources, modelled.message.moves, await laterMoves(sources, modelled));
  const options = { arrivalBefore: arrivalsKnownTo(modelled), onStep };
  return new NamedMoves(sources, [], await movesTaking(log, messageId, options));
}

/** Whether the read model of messages passed over moves that came after the message was sent. */
async function isLacking(sources: PastSources, messageId: number): Promise<boolean> {
  if (!(await lacksMoves(sources, -1))) return false;
  const place = { from: messageId - 1, limit: 1 };
  const [sending] = await sources.log.store.readStream(messagesStream, place);
  return lacksMoves(sources, sending?.position ?? -1);
}

/** Positions of the moves that the read model has yet to follow. */
async function laterMoves(
  { log, deadline }: PastSources,
  modelled: ModelledMoves,
): Promise<readonly number[]> {
  const { message, through, arrivals } = modelled;
  if (message.deletedAt !== null || message.channelId === null) return [];
  const track = new MessageTrack(message._id, arrivalsKnownTo(modelled));
  track.lies(recipientOf(message), arrivals.length - 1);
  const positions: number[] = [];
  for (const event of await scannedMoves(log, through, () => deadline.throwIfOver())) {
    if (!isReadable(event) || !isEvent(event, ...moveEvents)) continue;
    if ((await track.moved(event)) !== null) positions.push(event.position);
  }
  return positions;
}

/** Keys that are looked for at once. */
const KEYS_AT_ONCE = 400;

/** Moves by their keys, in log order, and others after them by their positions. */
class NamedMoves implements AllMoves {
  constructor(
    private readonly sources: Pick<PastSources, 'messages' | 'deadline'>,
    private readonly keys: readonly string[],
    private readonly later: readonly number[],
  ) {}

  async all(): Promise<readonly number[]> {
    return [...(await this.positionsOf(this.keys)), ...this.later];
  }

  /** Looks at about as many moves as are asked for, however many there are. */
  async movesWithin(
    [lowest, highest]: PositionRange,
    { direction, limit }: { readonly direction: Direction; readonly limit: number },
  ): Promise<FoundMoves> {
    const isForwards = direction === 'forwards';
    const begin = await this.countBefore(lowest);
    const end = await this.countBefore(highest + 1);
    const keys = this.keys.slice(
      isForwards ? begin : Math.max(begin, end - limit),
      isForwards ? Math.min(end, begin + limit) : end,
    );
    const isWhole = keys.length >= end - begin;
    // Those that the model has yet to follow come after all others.
    const later = isForwards && !isWhole ? [] : this.later;
    const rising = [
      ...(await this.positionsOf(keys)),
      ...later.filter((position) => position >= lowest && position <= highest),
    ];
    const positions = isForwards ? rising : rising.reverse();
    return { positions: positions.slice(0, limit), isAll: isWhole && positions.length <= limit };
  }

  /** How many of the keys are of moves before a position, by halves. */
  private async countBefore(position: number): Promise<number> {
    let [low, high] = [0, this.keys.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [found] = await this.positionsOf([this.keys[middle]!]);
      if (found !== undefined && found < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private async positionsOf(keys: readonly string[]): Promise<readonly number[]> {
    if (keys.length === 0) return [];
    const moves = (await this.sources.messages.model()).collection<MoveDocument>('moves');
    const positions: number[] = [];
    for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
      this.sources.deadline.throwIfOver();
      const found = await moves.find(
        { _id: { $in: keys.slice(from, from + KEYS_AT_ONCE) } },
        { projection: { position: 1 } },
      );
      positions.push(...found.map(({ position }) => position));
    }
    return positions.sort((one, other) => one - other);
  }
}
