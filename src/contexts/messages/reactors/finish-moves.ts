import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { on } from '../../../kernel/on.js';
import { MessageEdited } from '../../../events/messages.js';
import { MessageMoves } from '../message-moves.js';

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
