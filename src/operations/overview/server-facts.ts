import type { ProjectionReport } from '../projection-report.js';
import type { ReactorReport } from '../reactor-report.js';

/** What waits to be sent. */
export interface Waiting {
  /** At most {@link MAX_WAITING}. */
  readonly count: number;
  /** When the first of them was requested, in milliseconds since the UNIX epoch; null: nothing waits. */
  readonly since: number | null;
}

/** The count of waiting items stops here. */
export const MAX_WAITING = 500;

/** The facts that the verdict is based on. Times are milliseconds since the UNIX epoch. */
export interface ServerFacts {
  readonly now: number;
  readonly projections: readonly Pick<ProjectionReport, 'projection' | 'state' | 'lagSeconds' | 'building'>[];
  readonly reactors: readonly Pick<ReactorReport, 'reactor' | 'state' | 'stoppedSeconds' | 'lagEvents'>[];
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number };
  /** Since when the log has had events that no seal covers; null: it has none. */
  readonly unsealedSince: number | null;
  /** The time within which appended events are to be sealed, in seconds. */
  readonly sealSeconds: number;
  /** Null: not known. */
  readonly lastBackupAt: number | null;
  /** The recent 99th percentile of the event loop delay of the thread that answers requests, in seconds. */
  readonly requestDelay: number;
  readonly mails: Waiting;
  readonly notifications: Waiting;
  /** E-mails that were given up in the last hour. */
  readonly mailsFailed: number;
  /** Notifications that were dropped in the last hour, because they could not be sent in time. */
  readonly notificationsFailed: number;
}

/** A problem that the operator should know of. */
export interface Problem {
  /** `act`: somebody must act now; `watch`: it should be observed. */
  readonly level: 'act' | 'watch';
  /** The problem, as a sentence. */
  readonly what: string;
  /** What the operator should do, as a sentence. */
  readonly todo: string;
  /** The console's page for it; null: it has none. */
  readonly page: 'models' | 'dead-letters' | null;
}

/** A problem for which somebody must act now. */
export function act(what: string, todo: string, page: Problem['page']): Problem {
  return { level: 'act', what, todo, page };
}

/** A problem that should be observed. */
export function watch(what: string, todo: string, page: Problem['page']): Problem {
  return { level: 'watch', what, todo, page };
}
