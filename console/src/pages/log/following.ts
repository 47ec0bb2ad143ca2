import { useEffect, useRef, useState } from 'react';
import type { Parameters } from '../../api/client.js';
import { useSession, type Session } from '../../api/session.js';
import { rowOf, type EventRow, type OldestFirst } from './events.js';

/** New events while following, and afterwards. */
export interface Followed {
  /** Newest first. */
  readonly events: readonly EventRow[];
  /** Why following fails; null: it does not. */
  readonly error: Error | null;
}

export interface FollowOptions {
  readonly path: string;
  readonly filters: Parameters;
  /** The position after which following begins; null: unknown as yet. Events that were followed from another position are dropped. */
  readonly from: number | null;
  /** False: reads nothing new, and keeps the events that were followed. */
  readonly isOn: boolean;
  /** Called instead of keeping more than {@link MAX_EVENTS} events. Its caller moves `from`. */
  readonly onFull: () => void;
}

/** Intervals in milliseconds: short while the page is visible, long otherwise. */
const EVERY = 2_000;
const UNSEEN_EVERY = 15_000;
const PAGE = 200;

/** Maximum number of events kept. */
const MAX_EVENTS = 5_000;

const nothing: Followed = { events: [], error: null };

/** How far one selection of events was followed. */
interface Progress {
  /** Identifies path, filters and the position at which following began. */
  readonly stretch: string;
  readonly after: number;
  readonly count: number;
}

/** Follows the log from a position on. Each period of following is recorded as one look, when it begins. */
export function useFollowing({ path, filters, from, isOn, onFull }: FollowOptions): Followed {
  const { ask } = useSession();
  const stretch = JSON.stringify([path, filters, from]);
  const [kept, keep] = useState({ stretch, ...nothing });
  const progress = useRef<Progress | null>(null);
  useEffect(() => {
    if (from === null || !isOn) return undefined;
    const [, asked] = JSON.parse(stretch) as [string, Parameters];
    const change = (next: (before: Followed) => Followed): void =>
      keep((before) => {
        const followed = before.stretch === stretch ? before : nothing;
        const changed = next(followed);
        return changed === before ? before : { stretch, ...changed };
      });
    if (progress.current?.stretch !== stretch) progress.current = { stretch, after: from, count: 0 };
    const stop = repeat(
      async (signal) => {
        const { after, count } = progress.current!;
        const page = await readAfter(ask, { path, filters: asked, after, signal });
        signal.throwIfAborted();
        if (count + page.events.length > MAX_EVENTS) {
          onFull();
          return false;
        }
        progress.current = { stretch, after: page.position ?? after, count: count + page.events.length };
        change((before) =>
          page.events.length === 0 && before.error === null
            ? before
            : { events: [...page.events.toReversed().map(rowOf), ...before.events], error: null },
        );
        return !page.found_newest;
      },
      (error) => change(({ events }) => ({ events, error })),
    );
    return () => {
      stop();
      change(({ events }) => ({ events, error: null }));
    };
  }, [ask, path, stretch, from, isOn, onFull]);
  return kept.stretch === stretch ? kept : nothing;
}

interface Following {
  readonly path: string;
  readonly filters: Parameters;
  readonly after: number;
  readonly signal: AbortSignal;
}

function readAfter(ask: Session['ask'], { path, filters, after, signal }: Following): Promise<OldestFirst> {
  const parameters = { ...filters, after, follow: true, with_data: false, limit: PAGE };
  return ask<OldestFirst>({ path, parameters, signal });
}

/**
 * Takes a step at intervals, and at once after a step that returned true.
 *
 * @returns stops it
 */
function repeat(
  step: (signal: AbortSignal) => Promise<boolean>,
  onFailed: (error: Error) => void,
): () => void {
  const ending = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const go = async (): Promise<void> => {
    try {
      while (await step(ending.signal));
    } catch (error) {
      if (ending.signal.aborted) return;
      onFailed(error as Error);
    }
    if (!ending.signal.aborted) timer = setTimeout(() => void go(), document.hidden ? UNSEEN_EVERY : EVERY);
  };
  void go();
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}
