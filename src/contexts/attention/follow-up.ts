import type { AttentionEvent } from '../../events/attention.js';
import type { Decisions } from '../../http/decisions.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { automaticAttentionOf, type Attention } from './attention.state.js';

/** Whose choices another event changes, and which event that is. */
export interface FollowUp {
  readonly userId: number;
  readonly cause: Pick<RecordedEvent, 'id' | 'metadata'>;
}

/**
 * Appends what another event makes of what a person wants to hear of, unless that was done before.
 *
 * @returns what was appended by now; nothing when nothing was to change
 */
export async function followUp(
  decisions: Decisions,
  { userId, cause: { id: causeId, metadata } }: FollowUp,
  decide: (attention: Attention) => readonly AttentionEvent[],
): Promise<readonly AttentionEvent[]> {
  const because = {
    ...metadata,
    commandId: commandIdOf(['follow-attention', causeId, String(userId)]),
    causationId: causeId,
    at: decisions.snapshot().now,
  };
  const { events } = await decisions.decideAs(
    because,
    automaticAttentionOf(userId),
    ({ attention, completed }) => (completed.has(causeId) ? [] : decide(attention)),
  );
  return events;
}
