import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '../../api/session.js';

/** A problem, and what to do. */
export interface Problem {
  readonly level: 'act' | 'watch';
  readonly what: string;
  readonly todo: string;
  readonly page: 'models' | 'dead-letters' | null;
}

export interface Verdict {
  readonly level: 'well' | 'act' | 'watch';
  readonly sentence: string;
  readonly findings: readonly Problem[];
}

/** Figures over time: a list of values for each name, as long as the list of times. */
export interface Figures {
  /** Milliseconds since the UNIX epoch. */
  readonly at: readonly number[];
  readonly figures: Readonly<Record<string, readonly (number | null)[]>>;
}

/** The status of the server. Times are milliseconds since the UNIX epoch; null: unknown. */
export interface OverviewNow {
  readonly verdict: Verdict;
  readonly now: number;
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number };
  readonly lastSealAt: number | null;
  readonly lastBackupAt: number | null;
  readonly queues: { readonly size: number; readonly bytes: number };
  readonly waiting: { readonly mails: number; readonly notifications: number };
  readonly mailsFailed: number;
  readonly notificationsFailed: number;
  readonly startedAt: number;
  readonly samples: Figures;
}

interface OverviewReply {
  readonly overview: OverviewNow;
}

const none: Figures = { at: [], figures: {} };
const HOUR = 3_600_000;

/** Milliseconds after which a request that is not answered fails. */
const TIMEOUT = 15_000;

/** Polls the overview; each request asks only for the figures since the last one. */
export function useOverview(): {
  readonly query: UseQueryResult<OverviewReply, Error>;
  readonly figures: Figures;
} {
  const session = useSession();
  const query = useQuery<OverviewReply, Error>({
    queryKey: ['api', 'audit/overview'],
    queryFn: async ({ signal, client }) => {
      const before = client.getQueryData<OverviewReply>(['api', 'audit/overview']);
      const known = before?.overview.samples ?? none;
      const parameters = { since: known.at.at(-1) ?? 0 };
      const { overview } = await session.ask<OverviewReply>({
        path: 'audit/overview',
        parameters,
        signal,
        timeout: TIMEOUT,
      });
      const kept = before?.overview.startedAt === overview.startedAt ? known : none;
      return { overview: { ...overview, samples: joined(kept, overview.samples) } };
    },
    refetchInterval: 5_000,
  });
  const figures = useMemo(() => query.data?.overview.samples ?? none, [query.data]);
  return { query, figures };
}

/** Joins earlier and later figures, and keeps those of the last hour. */
function joined(earlier: Figures, later: Figures): Figures {
  const at = [...earlier.at, ...later.at];
  const names = new Set([...Object.keys(earlier.figures), ...Object.keys(later.figures)]);
  const first = at.findIndex((moment) => moment > (at.at(-1) ?? 0) - HOUR);
  const valuesOf = (part: Figures, name: string): readonly (number | null)[] =>
    part.figures[name] ?? part.at.map(() => null);
  const figures = [...names].map(
    (name) =>
      [name, [...valuesOf(earlier, name), ...valuesOf(later, name)].slice(Math.max(0, first))] as const,
  );
  return { at: at.slice(Math.max(0, first)), figures: Object.fromEntries(figures) };
}
