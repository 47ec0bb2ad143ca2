import { Injectable } from '@nestjs/common';
import type { AttentionEvent } from '../../events/attention.js';
import { Decisions } from '../../http/decisions.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { automaticAttentionOf, type Attention } from './attention.js';

/** Changes what people want to hear of because of other events, each on their own stream. */
@Injectable()
export class AttentionChanges {
  constructor(
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  /**
   * Appends what another event makes of a person's choices, unless that was done before.
   *
   * @returns what was appended by now; nothing when nothing was to change
   */
  async follow(
    userId: number,
    { id: causeId, metadata }: Pick<RecordedEvent, 'id' | 'metadata'>,
    decide: (attention: Attention) => readonly AttentionEvent[],
  ): Promise<readonly AttentionEvent[]> {
    const because = {
      ...metadata,
      commandId: commandIdOf(['follow-attention', causeId, String(userId)]),
      causationId: causeId,
      at: this.clock.now(),
    };
    const { events } = await this.decisions.decideAs(
      because,
      automaticAttentionOf(userId),
      ({ attention, completed }) => (completed.has(causeId) ? [] : decide(attention)),
    );
    return events;
  }
}
