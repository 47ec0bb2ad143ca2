import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { on } from '../../../kernel/on.js';
import { MessageEdited } from '../../../events/messages.js';
import { MessageMoves } from '../message-moves.js';

/**
 * Appends the moves that edits asked for: they stand in the streams of channels, and the edit carried the whole intent. The
 * command's handler does the same before it replies, so no reply waits for this: it catches up after a crash.
 */
@Injectable()
@RunsAsReactor()
export class FinishMoves implements Reactor {
  readonly name = 'finish-moves';
  readonly on = on(MessageEdited, (event) => this.moves.finish(event));

  constructor(private readonly moves: MessageMoves) {}
}
