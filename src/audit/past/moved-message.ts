import type { MoveDocument } from '../../contexts/messages/moves/move-documents.js';
import { recipientOf } from '../../contexts/messages/message-document.js';
import { MESSAGES_STREAM } from '../../events/messages.js';
import type { Direction, PositionRange } from '../log-index/common-entries.js';
import type { FoundMoves, MovedMessage } from '../log-index/audit-index.js';
import { scannedMoves } from '../message-timeline/message-timeline.js';
import { MessageTrack } from '../message-timeline/message-track.js';
import { movesTaking, positionsTaking } from '../message-timeline/moves-taking.js';
import { placementsKnownTo, lacksMoves, modelledMoves, type ModelledMoves } from './message-moves.js';
import type { PastSources } from './past-sources.js';
import { revisionOfId } from '../../kernel/ids.js';

/** The moves that included a message, possibly many. */
export interface AllMoves extends MovedMessage {
  /** Positions of all of them, ascending. */
  all(): Promise<readonly number[]>;
}

/**
 * Finds the moves that included a message: those that its document in the read model names, and those that the read
 * model has not processed yet. When the read model skipped moves or does not have the message, the log after its
 * sending is read.
 *
 * @throws the error of the deadline
 */
export async function movedMessage(sources: PastSources, messageId: number): Promise<AllMoves> {
  const { log, deadline } = sources;
  const modelled = await modelledMoves(sources, messageId);
  const onStep = (): void => deadline.throwIfOver();
  if (modelled !== null && !(await isLacking(sources, messageId)))
    return new NamedMoves(sources, modelled.message.moves, await laterMoves(sources, modelled));
  const options = { placementBefore: placementsKnownTo(modelled), onStep };
  return new NamedMoves(sources, [], await movesTaking(log, messageId, options));
}

/** Whether the read model of messages skipped moves after the message was sent. */
async function isLacking(sources: PastSources, messageId: number): Promise<boolean> {
  if (!(await lacksMoves(sources, -1))) return false;
  const place = { from: revisionOfId(messageId), limit: 1 };
  const [sending] = await sources.log.store.readStream(MESSAGES_STREAM, place);
  return lacksMoves(sources, sending?.position ?? -1);
}

/** Positions of the moves that the read model has not processed yet. */
async function laterMoves(
  { log, deadline }: PastSources,
  modelled: ModelledMoves,
): Promise<readonly number[]> {
  const { message, through, placements } = modelled;
  if (message.deletedAt !== null || message.channelId === null) return [];
  const track = new MessageTrack(message._id, placementsKnownTo(modelled));
  track.lies(recipientOf(message), placements.length - 1);
  return positionsTaking(track, await scannedMoves(log, through, () => deadline.throwIfOver()));
}

/** Keys per query. */
const KEYS_AT_ONCE = 400;

/** Moves by their keys, in log order, followed by others by their positions. */
class NamedMoves implements AllMoves {
  constructor(
    private readonly sources: Pick<PastSources, 'messages' | 'deadline'>,
    private readonly keys: readonly string[],
    private readonly later: readonly number[],
  ) {}

  async all(): Promise<readonly number[]> {
    return [...(await this.positionsOf(this.keys)), ...this.later];
  }

  /** Looks at about as many moves as are requested, however many there are. */
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
    // The moves that the read model has not processed yet come after all others.
    const later = isForwards && !isWhole ? [] : this.later;
    const rising = [
      ...(await this.positionsOf(keys)),
      ...later.filter((position) => position >= lowest && position <= highest),
    ];
    const positions = isForwards ? rising : rising.reverse();
    return { positions: positions.slice(0, limit), isAll: isWhole && positions.length <= limit };
  }

  /** How many of the keys belong to moves before a position, by binary search. */
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
