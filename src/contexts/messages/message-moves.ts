import { Injectable } from '@nestjs/common';
import { channelStream } from '../channels/channel-subscriptions.js';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import { ConsistentLog } from '../../http/consistency.js';
import { failure } from '../../kernel/errors.js';
import type { EventMetadata, Recorded } from '../../kernel/event.js';
import { handle } from '../../kernel/handle.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { channelMovesFold, type ChannelMoves } from './channel-moves.js';
import type { MessageEdited } from '../../events/messages.js';
import { movableMessages, visibleStretches } from './movable-messages.js';
import { MessageChanges, type FoundMessage, type PlacedMessage } from './message-changes.js';
import { MessageReader } from './message-reader.js';
import { moveEvents, type MoveEvent } from '../../events/message-moves.js';
import { intendedMove, moveLimit, newTopicOf, type MoveFacts, type MoveRequest } from './moving.js';

const attempts = 10;

/** Decides about moves in the streams of channels, each knowing the outcome of those before it. */
@Injectable()
export class MessageMoves {
  constructor(
    private readonly messages: MessageReader,
    private readonly changes: MessageChanges,
    private readonly streams: FoldedStreams,
    private readonly log: ConsistentLog,
    private readonly clock: SystemClock,
  ) {}

  /**
   * Appends the move that a rule makes of a message that the caller can see, to the stream of the channel where it lies.
   *
   * @throws ApplicationError what the rule refuses with; `unavailable` when other moves were faster every time
   */
  async apply(
    caller: Caller,
    messageId: number,
    decide: (found: FoundMessage) => Promise<MoveEvent>,
  ): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const { place } = await this.changes.place(caller, messageId);
      // Where there is no channel, the rule refuses.
      const stream = channelStream(place.channelId ?? 0);
      const isDone = await this.streams.inTurn(stream, async () => {
        const { state, revision } = await this.streams.load({ stream, fold: channelMovesFold });
        await this.catchUp(state);
        const found = await this.changes.find(caller, messageId);
        if (found.place.channelId !== place.channelId) return false;
        const event = await decide(found);
        const metadata = requestMetadata(caller, found.reading.context.moment.now);
        return (await this.streams.append({ stream, revision }, [event], metadata)) !== null;
      });
      if (isDone) return;
    }
    throw failure('unavailable');
  }

  /** What a decision about a move goes by beside the request; null when the request asks for none that is possible. */
  async factsFor({ reading, place }: PlacedMessage, request: MoveRequest): Promise<MoveFacts | null> {
    const { moment, user: actor } = reading.context;
    const { channelId } = place;
    const intended = intendedMove(request, place);
    if (intended === null || channelId === null) return null;
    const limit = request.mode === 'change_all' ? moveLimit(intended, moment, actor) : null;
    const target = intended.channelId ?? channelId;
    const [isNewTopic, targetRevision, movable] = await Promise.all([
      this.messages.isNewConversation({
        type: 'channel',
        channelId: target,
        topic: newTopicOf(intended, place),
      }),
      target === channelId ? -1 : this.revisionOf(target),
      limit === null ? null : movableMessages(reading, place, moment.now / 1000 - limit),
    ]);
    const visible = visibleStretches(reading.context, channelId);
    return { moment, actor, place, targetRevision, visible, isNewTopic, movable };
  }

  private async revisionOf(channelId: number): Promise<number> {
    const stream = channelStream(channelId);
    return (await this.streams.load({ stream, fold: channelMovesFold })).revision ?? -1;
  }

  /** Appends the move that an edit asked for, unless that was done before. */
  async finish({ id, data, metadata }: Recorded<typeof MessageEdited>): Promise<void> {
    const { move } = data;
    if (move === null) return;
    const finishing: EventMetadata = {
      ...metadata,
      commandId: commandIdOf(['finish-moves', id]),
      causationId: id,
      at: this.clock.now(),
    };
    const stream = channelStream(move.data.selection.channelId);
    const appended = await handle(this.streams, {
      stream,
      fold: channelMovesFold,
      decide: ({ completed }): readonly MoveEvent[] => (completed.has(id) ? [] : [move]),
      metadata: finishing,
    });
    if (appended !== null) return;
    // The reactor was faster, and did not wait for this caller's readers.
    const { state } = await this.streams.load({ stream, fold: channelMovesFold });
    await this.settle(state.lastPosition ?? 0);
  }

  /** Waits until readers find what became of the channel's last move. */
  private async catchUp({ lastPosition: position }: ChannelMoves): Promise<void> {
    if (position === null) return;
    const model = await this.messages.model();
    if (((await model.checkpoint()).position ?? -1) >= position) return;
    await this.settle(position);
    if (((await model.checkpoint()).position ?? -1) < position) throw failure('unavailable');
  }

  private settle(position: number): Promise<void> {
    return this.log.settle({ position, events: moveEvents.map(({ type }) => ({ type, data: null })) });
  }
}
