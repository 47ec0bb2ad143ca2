import { MessageEdited, MessageSent } from '../../events/messages.js';
import { budgets } from '../../kernel/budgets.js';
import { isEvent } from '../../kernel/event.js';
import { renderMarkdown } from '../../markdown/render.js';
import { isReadable } from '../../stores/event-store/readable-events.js';
import type { TimelineChange, TimelineStep, MessageTimeline } from './message-timeline.js';

/** A step of a message's history as auditors see it. */
export interface DescribedStep extends Omit<TimelineStep, 'event'> {
  /** The sentence about it, as in `palimpsest audit log`; null: the event cannot be read. */
  readonly sentence: string | null;
  /** Its text as HTML of the server's renderer; null: it has none. */
  readonly renderedContent: string | null;
  /** Whether its texts were left out because those of the steps before were long. Absent: they were not. */
  readonly cut?: true;
}

/** A message's history as auditors see it. */
export interface DescribedTimeline extends Omit<MessageTimeline, 'steps'> {
  readonly steps: readonly DescribedStep[];
}

/**
 * Replaces the event of each step by the sentence about it.
 *
 * @param sentences of the steps' events, in the same order
 */
export function describedTimeline(
  timeline: MessageTimeline,
  sentences: readonly (string | null)[],
): DescribedTimeline {
  const steps = timeline.steps.map(({ event, ...step }, index) => ({
    ...step,
    sentence: sentences[index] ?? null,
    renderedContent: htmlOf(event),
  }));
  return { ...timeline, steps };
}

function htmlOf(event: TimelineStep['event']): string | null {
  if (!isReadable(event) || !isEvent(event, MessageSent, MessageEdited)) return null;
  return renderMarkdown(event.data.content, event.data.references).html;
}

/** Limits the texts to what one reply may contain. Every step is included; those without their texts say so. */
export function boundedTimeline(timeline: DescribedTimeline): DescribedTimeline {
  let left: number = budgets.timelineCharacters.max;
  const steps = timeline.steps.map((step): DescribedStep => {
    left -= charactersOf(step.change) + (step.renderedContent?.length ?? 0);
    return left >= 0
      ? step
      : { ...step, change: withoutTexts(step.change), renderedContent: null, cut: true };
  });
  return { ...timeline, steps };
}

function charactersOf(change: TimelineChange): number {
  if (!('content' in change)) return 0;
  const compared = change.kind === 'edited' ? change.changes : [];
  return compared.reduce((sum, { text }) => sum + text.length, change.content.length);
}

function withoutTexts(change: TimelineChange): TimelineChange {
  if (!('content' in change)) return change;
  return change.kind === 'edited' ? { ...change, content: '', changes: [] } : { ...change, content: '' };
}
