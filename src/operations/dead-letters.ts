import type { DiscardedEvent, OperatorSettings } from '../../projections/engine/operator-settings.js';
import type { EventReference } from '../../projections/engine/poison-event.js';
import type { Stoppage } from '../../projections/engine/progress.js';
import { OperatorError } from '../kernel/errors.js';

/** An event that a projection could not apply, or that a reactor could not handle. */
export interface DeadLetter {
  /** The projection's name, or `reactor:<name>` for a reactor. */
  readonly projection: string;
  readonly event: EventReference;
  readonly reason: string;
  /** `waiting`: the projection, or its rebuild, is halted at the event; `discarded`: an operator discarded it. */
  readonly state: 'waiting' | 'discarded';
}

/** An event at which a projection or reactor is halted, or which was discarded. */
export interface NamedEvent {
  /** The projection's name, or `reactor:<name>` for a reactor. */
  readonly projection: string;
  /** Null: the command names no event. */
  readonly id: string | null;
}

/** An operation that cannot be done. The message is a sentence for the operator. */
export class OperationRefusedError extends OperatorError {
  override readonly name = 'OperationRefusedError';
}

/** A projection or reactor, and why it is halted; null: it is not. */
interface Follower {
  readonly projection: string;
  readonly stoppage: Stoppage | null;
}

/** The events at which followers of the log are halted, and those that were discarded. */
export async function deadLettersOf(
  followers: readonly Follower[],
  settings: Pick<OperatorSettings, 'of'>,
): Promise<readonly DeadLetter[]> {
  const lists = await Promise.all(
    followers.map(async ({ projection, stoppage }): Promise<readonly DeadLetter[]> => {
      const { discarded, stoppedBuild } = await settings.of(projection);
      const letters = [stoppage, stoppedBuild].flatMap((stopped): DeadLetter[] => {
        if (!stopped?.event) return [];
        const { reason, event } = stopped;
        // A projection stays halted at an event for a moment after it was discarded.
        const isDiscarded = discarded.some(({ id }) => id === event.id);
        return isDiscarded ? [] : [{ projection, event, reason, state: 'waiting' }];
      });
      const waiting = letters.filter(({ event }, index) => index === 0 || event.id !== letters[0]?.event.id);
      return [...waiting, ...discarded.map((event) => discardedLetter(projection, event))];
    }),
  );
  const letters = lists.flat();
  return [...letters.filter(isWaiting), ...letters.filter((letter) => !isWaiting(letter))];
}

/** The letter of a named event, or the first one. @throws OperationRefusedError when there is none */
export function letterNamed(letters: readonly DeadLetter[], { projection, id }: NamedEvent): DeadLetter {
  const found = letters.find(({ event }) => id === null || event.id === id);
  if (found !== undefined) return found;
  throw new OperationRefusedError(
    letters.length === 0
      ? `${projection} is not halted at an event.`
      : `${projection} is not halted at the event ${id}: list the dead letters again.`,
  );
}

/** Whether a projection is halted at the event. */
export function isWaiting({ state }: DeadLetter): boolean {
  return state === 'waiting';
}

function discardedLetter(
  projection: string,
  { reason, discardedAt: _, ...event }: DiscardedEvent,
): DeadLetter {
  return { projection, event, reason, state: 'discarded' };
}
