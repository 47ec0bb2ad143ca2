import { useEffect, useState } from 'react';
import type { Parameters } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import type { LoggedEvent } from './events.js';

interface Page {
  readonly events: readonly LoggedEvent[];
  /** The position after which the next page begins. */
  readonly position: number | null;
  readonly found_newest: boolean;
}

/** New events while following. */
export interface Followed {
  /** Newest first. */
  readonly events: readonly LoggedEvent[];
  /** Why following fails; null: it does not. */
  readonly error: Error | null;
}

/** Intervals in milliseconds: short while the page is visible, long otherwise. */
const EVERY = 2_000;
const UNSEEN_EVERY = 15_000;
const PAGE = 200;

/** Maximum number of events kept; older ones are read like all others. */
const MOST = 5_000;

const nothing: Followed = { events: [], error: null };

/**
 * Follows the log from a position on. It is recorded as one look, when it begins.
 *
 * @param from null: does not follow
 */
export function useFollowing(path: string, filters: Parameters, from: number | null): Followed {
  const { ask } = useSession();
  const [followed, setFollowed] = useState<Followed>(nothing);
  const asked = JSON.stringify(filters);
  useEffect(() => {
    if (from === null) return undefined;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let after = from;
    const look = async (): Promise<void> => {
      try {
        const parameters = { ...(JSON.parse(asked) as Parameters), after, follow: true, limit: PAGE };
        const page = await ask<Page>({ path, parameters, signal: ending.signal });
        after = page.position ?? after;
        const came = page.events.toReversed();
        setFollowed(({ events, error }) =>
          came.length === 0 && error === null
            ? { events, error }
            : { events: [...came, ...events].slice(0, MOST), error: null },
        );
        if (!page.found_newest) return await look();
      } catch (error) {
        if (ending.signal.aborted) return;
        setFollowed(({ events }) => ({ events, error: error as Error }));
      }
      timer = setTimeout(() => void look(), document.hidden ? UNSEEN_EVERY : EVERY);
    };
    void look();
    return () => {
      ending.abort();
      clearTimeout(timer);
      setFollowed(nothing);
    };
  }, [ask, path, asked, from]);
  return from === null ? nothing : followed;
}
