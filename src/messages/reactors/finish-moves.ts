import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../background-work.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import type { MessageEdited } from '../events.js';
import { MessageMoves } from '../message-moves.js';

type Edited = RecordedEvent<EventOf<typeof MessageEdited>>;

/**
 * Appends the moves that edits asked for: they stand in the streams of channels, and the edit carried the whole intent. The
 * command's handler does the same before it replies, so no reply waits for this: it catches up after a crash.
 */
@Injectable()
@RunsAsReactor()
export class FinishMoves implements Reactor {
  readonly name = 'finish-moves';
  readonly on = {
    MessageEdited: (event: RecordedEvent) => this.moves.finish(event as unknown as Edited),
  };

  constructor(private readonly moves: MessageMoves) {}
}
