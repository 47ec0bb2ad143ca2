import { Injectable } from '@nestjs/common';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { ModelPositions } from '../../../../projections/engine/model-positions.js';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { moveEvents, type MoveEvent } from '../../../events/message-moves.js';
import { MessageEdited } from '../../../events/messages.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { on } from '../../../kernel/event-handlers.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { Decisions } from '../../../http/decisions.js';
import { AttentionReader } from '../../attention/attention-reader.js';
import { NoticeSender } from '../../channels/notices.js';
import { deleteByServer } from '../deletion/message-deletion.js';
import type { MessageDocument } from '../message-document.js';
import { MessageMoves } from '../moves/message-moves.js';
import { MessageReader } from '../message-reader.js';
import { moveDocumentId, type MoveDocument } from '../moves/move-documents.js';
import { isSilentMark, markReadOnArrival, noticesOfMove } from '../moves/move-notices.decide.js';
import { MovedTopicPolicies } from '../moves/moved-topic-policies.js';

const NAME = 'conclude-moves';

type Moved = RecordedEvent<MoveEvent>;

/**
 * Moves topic visibility policies along and makes the notification bot announce moves, once the outcome of
 * each move is known.
 */
@Injectable()
@RunsAsReactor({ awaited: true })
export class ConcludeMoves implements Reactor {
  readonly name = NAME;
  readonly on = on(moveEvents, (event) => this.conclude(event));

  constructor(
    private readonly positions: ModelPositions,
    private readonly follower: DirectoryFollower,
    private readonly messages: MessageReader,
    private readonly attention: AttentionReader,
    private readonly topicPolicies: MovedTopicPolicies,
    private readonly notices: NoticeSender,
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  /** @throws ModelBehindError when the read model does not include the move yet; the engine then retries */
  private async conclude(event: Moved): Promise<void> {
    await this.positions.waitForEvent(event);
    const move = await this.outcomeOf(event);
    if (move === null) return;
    await this.topicPolicies.follow(event, move, this.follower.current());
    if (isSilentMark(move)) return;
    if (move.outdatedNoticeId === null) await this.sendNotices(event, move);
    else await this.takeBack(event, move.outdatedNoticeId);
  }

  /** Null: no message was left to move. */
  private async outcomeOf(event: Moved): Promise<MoveDocument | null> {
    const model = await this.messages.model();
    return model.collection<MoveDocument>('moves').findOne({ _id: moveDocumentId(event) });
  }

  private async sendNotices(event: Moved, move: MoveDocument): Promise<void> {
    const directory = this.follower.current();
    const policies = await this.attention.policiesFor(move.newChannelId, move.newTopic);
    const completed = {
      event,
      move,
      directory,
      markReadOnArrival: markReadOnArrival(move, directory, policies),
    };
    for (const notice of noticesOfMove(completed)) await this.notices.send(notice);
  }

  /** A notice that has been deleted by now needs no deletion. */
  private async takeBack({ id }: Moved, messageId: number): Promise<void> {
    const model = await this.messages.model();
    const notice = await model.collection<MessageDocument>('messages').findOne({ _id: messageId });
    if (notice === null) return;
    await deleteByServer(this.decisions, notice, {
      commandId: commandIdOf([NAME, id, String(messageId)]),
      causationId: id,
      at: this.clock.now(),
    });
  }
}

/**
 * Appends the moves that edits requested to the streams of channels. The edit's command handler does the same
 * before it replies, so no reply waits for this reactor: it completes moves after a crash.
 */
@Injectable()
@RunsAsReactor()
export class FinishMoves implements Reactor {
  readonly name = 'finish-moves';
  readonly on = on(MessageEdited, (event) => this.moves.finish(event));

  constructor(private readonly moves: MessageMoves) {}
}
