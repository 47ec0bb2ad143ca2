import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import { isEvent, type RecordedEvent } from '../../../kernel/event.js';
import { on } from '../../../kernel/event-handlers.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { TimeSlice } from '../../../runtime/time-slice.js';
import { ChannelStreams } from '../channel-streams.js';
import {
  completionsOf,
  continuedEvents,
  type Completion,
  type ContinuedEvent,
} from '../completions.decide.js';

const NAME = 'complete-subscriptions';

/**
 * Finishes subscriptions that a request made in several channels: each channel is a stream of its own, and
 * the first append carried the whole intent. The command's handler calls it before it replies, so no reply
 * waits for this reactor: it catches up after a crash.
 */
@Injectable()
@RunsAsReactor()
export class CompleteSubscriptions implements Reactor {
  readonly name = NAME;
  readonly on = on(continuedEvents, (event) => this.complete(event));

  constructor(
    private readonly streams: ChannelStreams,
    private readonly clock: SystemClock,
  ) {}

  /**
   * Does the work that is not done yet. May be called any number of times, concurrently too: it is done once.
   */
  async complete(event: RecordedEvent): Promise<void> {
    if (!isEvent(event, ...continuedEvents)) return;
    const slice = new TimeSlice();
    for (const completion of completionsOf(event)) {
      if (slice.isOver) await slice.next();
      await this.completeIn(completion, event);
    }
  }

  private async completeIn(
    { channelId, decide }: Completion,
    { id: causeId, metadata }: RecordedEvent<ContinuedEvent>,
  ): Promise<void> {
    const lastMessageId = await this.streams.lastMessageId();
    const completing = {
      ...metadata,
      commandId: commandIdOf([NAME, causeId, String(channelId)]),
      causationId: causeId,
      at: this.clock.now(),
    };
    await this.streams.inChannel(channelId, completing, (state) => decide(state, { causeId, lastMessageId }));
  }
}
