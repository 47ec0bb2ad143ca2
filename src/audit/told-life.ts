import type { LifeStep, MessageLife } from './message-life.js';

/** A step of a message's life as auditors are shown it. */
export interface ToldStep extends Omit<LifeStep, 'event'> {
  /** What happened, as `palimpsest audit log` says it; null where the event cannot be read. */
  readonly sentence: string | null;
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
  const steps = life.steps.map(({ event: _event, ...step }, index) => ({
    ...step,
    sentence: sentences[index] ?? null,
  }));
  return { ...life, steps };
}
