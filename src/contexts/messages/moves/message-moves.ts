import { Injectable } from '@nestjs/common';
import { moveEvents, type MoveEvent } from '../../../events/message-moves.js';
import type { MessageEdited } from '../../../events/messages.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { failure } from '../../../kernel/errors.js';
import type { EventMetadata, Recorded } from '../../../kernel/event.js';
import { retryOnConflict } from '../../../kernel/retry-on-conflict.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { FoldedStreams } from '../../../stores/event-store/folded-streams.js';
import { channelMovesOf, type ChannelMoves } from './channel-moves.state.js';
import { intendedMove, newTopicOf, type MoveRequest } from './intended-move.js';
import { MessageDecisions, type VisibleMessage } from '../message-decisions.js';
import { MessageReader } from '../message-reader.js';
import { countMovable, endsOfTopic, visibleRanges } from './movable-messages.js';
import { moveLimit, type MoveFacts } from './moves.decide.js';

/**
 * Decides about moves on the streams of channels, each decision knowing the outcome of the moves before it.
 */
@Injectable()
export class MessageMoves {
  constructor(
    private readonly messages: MessageReader,
    private readonly messageDecisions: MessageDecisions,
    private readonly decisions: Decisions,
    private readonly streams: FoldedStreams,
    private readonly clock: SystemClock,
  ) {}

  /**
   * Appends the move that a decider returns for a message that the caller can see, to the stream of the
   * channel where it lies. The message is looked up again only if another move in the channel was completed
   * meanwhile.
   *
   * @throws ApplicationError what the decider throws; `unavailable` when other moves came first on every
   * attempt
   */
  async decide(
    caller: Caller,
    messageId: number,
    decide: (placed: VisibleMessage) => Promise<MoveEvent>,
  ): Promise<void> {
    await retryOnConflict(async () => {
      const seen = await this.checkpoint();
      const placed = await this.messageDecisions.findVisible(caller, messageId);
      const { channelId } = placed.place;
      // For a direct message the decider refuses.
      const moves = channelMovesOf(channelId ?? 0);
      const { stream } = moves;
      return this.decisions.withLock(stream, async (append) => {
        const { state, revision } = await this.streams.load(moves);
        const isBehind = (state.lastPosition ?? -1) > seen;
        if (isBehind) await this.catchUp(state);
        const present = isBehind ? await this.messageDecisions.findVisible(caller, messageId) : placed;
        if (present.place.channelId !== channelId) return null;
        const event = await decide(present);
        const metadata = requestMetadata(caller, present.session.context.snapshot.now);
        return append(revision, [event], metadata);
      });
    });
  }

  /**
   * The facts that a decision about a move depends on beside the request; null when the request changes
   * nothing.
   */
  async factsFor(placed: VisibleMessage, request: MoveRequest): Promise<MoveFacts | null> {
    const { session, place } = placed;
    const { snapshot, user: actor } = session.context;
    const { channelId } = place;
    const intended = intendedMove(request, place);
    if (intended === null || channelId === null) return null;
    const limit = request.mode === 'change_all' ? moveLimit(intended, snapshot, actor) : null;
    const target = intended.channelId ?? channelId;
    const [isNewTopic, targetRevision, movable, ends] = await Promise.all([
      this.messages.isNewConversation({
        type: 'channel',
        channelId: target,
        topic: newTopicOf(intended, place),
      }),
      target === channelId ? -1 : this.revisionOf(target),
      limit === null ? null : countMovable(session, place, snapshot.now / 1000 - limit),
      endsOfTopic(placed, request.mode),
    ]);
    const visible = visibleRanges(session.context, place, { ...ends, mode: request.mode });
    return {
      snapshot,
      actor,
      place,
      targetRevision,
      visible,
      earlierMoves: ends.earlierMoves,
      isNewTopic,
      movable,
    };
  }

  private async revisionOf(channelId: number): Promise<number> {
    return (await this.streams.load(channelMovesOf(channelId))).revision ?? -1;
  }

  /** Appends the move that an edit requested, unless that was done before. */
  async finish({ id, data, metadata }: Recorded<typeof MessageEdited>): Promise<void> {
    const { move } = data;
    if (move === null) return;
    const finishing: EventMetadata = {
      ...metadata,
      commandId: commandIdOf(['finish-moves', id]),
      causationId: id,
      at: this.clock.now(),
    };
    const moves = channelMovesOf(move.data.selection.channelId);
    const { events, state } = await this.decisions.decideAs(finishing, moves, ({ completed }) =>
      completed.has(id) ? [] : [move],
    );
    // The reactor appended it first, and did not wait until this caller's next reads include it.
    if (events.length === 0) await this.waitUntilReadable(state.lastPosition ?? 0);
  }

  /** Log position that the read model has reached; -1: none. */
  private async checkpoint(): Promise<number> {
    return (await (await this.messages.model()).checkpoint()).position ?? -1;
  }

  /** Waits until the read model includes the channel's last move. */
  private async catchUp({ lastPosition: position }: ChannelMoves): Promise<void> {
    if (position === null) return;
    if ((await this.checkpoint()) >= position) return;
    await this.waitUntilReadable(position);
    if ((await this.checkpoint()) < position) throw failure('unavailable');
  }

  private waitUntilReadable(position: number): Promise<void> {
    return this.decisions.waitUntilReadable(position, moveEvents);
  }
}
