import type { AttentionEvent } from '../../events/attention.js';
import type { Decisions } from '../../http/decisions.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { automaticAttentionOf, type Attention } from './attention.state.js';

/** The person whose settings another event changes, and that event. */
interface FollowUp {
  readonly userId: number;
  readonly cause: Pick<RecordedEvent, 'id' | 'metadata'>;
}

/**
 * Appends the changes that another event causes in a person's attention settings, unless that was done
 * before.
 *
 * @returns the events appended by this or an earlier call; empty when nothing had to change
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
  const events = await decisions.record(because, automaticAttentionOf(userId), ({ attention, completed }) =>
    completed.has(causeId) ? [] : decide(attention),
  );
  return events;
}
