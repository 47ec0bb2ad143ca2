import { MessageEdited, MessageSent } from '../events/messages.js';
import { budgets } from '../kernel/budgets.js';
import { isEvent } from '../kernel/event.js';
import { renderMarkdown } from '../markdown/render.js';
import { isReadable } from '../stores/event-store/readable-events.js';
import type { LifeChange, LifeStep, MessageLife } from './message-life.js';

/** A step of a message's life as auditors are shown it. */
export interface ToldStep extends Omit<LifeStep, 'event'> {
  /** What happened, as `palimpsest audit log` says it; null where the event cannot be read. */
  readonly sentence: string | null;
  /** Its text as HTML of our renderer; null: it has none. */
  readonly renderedContent: string | null;
  /** Whether its texts were left out, since those of the steps before were long. Absent: they are there. */
  readonly cut?: true;
}

/** A message's life as auditors are shown it. */
export interface ToldLife extends Omit<MessageLife, 'steps'> {
  readonly steps: readonly ToldStep[];
}

/**
 * Puts beside each step what happened, in the place of its event.
 *
 * @param sentences of the steps' events, in their order
 */
export function toldLife(life: MessageLife, sentences: readonly (string | null)[]): ToldLife {
  const steps = life.steps.map(({ event, ...step }, index) => ({
    ...step,
    sentence: sentences[index] ?? null,
    renderedContent: htmlOf(event),
  }));
  return { ...life, steps };
}

function htmlOf(event: LifeStep['event']): string | null {
  if (!isReadable(event) || !isEvent(event, MessageSent, MessageEdited)) return null;
  return renderMarkdown(event.data.content, event.data.references).html;
}

/** The same with no more texts than one reply may hold: every step is there, and those whose texts are left out say so. */
export function boundedLife(life: ToldLife): ToldLife {
  let left: number = budgets.lifeCharacters.max;
  const steps = life.steps.map((step): ToldStep => {
    left -= charactersOf(step.change) + (step.renderedContent?.length ?? 0);
    return left >= 0
      ? step
      : { ...step, change: withoutTexts(step.change), renderedContent: null, cut: true };
  });
  return { ...life, steps };
}

function charactersOf(change: LifeChange): number {
  if (!('content' in change)) return 0;
  const compared = change.kind === 'edited' ? change.changes : [];
  return compared.reduce((sum, { text }) => sum + text.length, change.content.length);
}

function withoutTexts(change: LifeChange): LifeChange {
  if (!('content' in change)) return change;
  return change.kind === 'edited' ? { ...change, content: '', changes: [] } : { ...change, content: '' };
}
