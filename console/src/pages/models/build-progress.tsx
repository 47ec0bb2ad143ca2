import type { Building } from '../../api/operations.js';
import { useNow } from '../../components/time.js';
import { shareOf, WorkProgress } from './work-progress.js';

interface BuildProgressProps {
  readonly projection: string;
  readonly building: Building;
  /** Position of the last event of the log; null: the log is empty. */
  readonly head: number | null;
}

/** The part that must be done before a remaining time is shown. */
const ENOUGH = 0.01;

/** The progress of a build of a read model, and the remaining time. */
export function BuildProgress({ projection, building, head }: BuildProgressProps) {
  const now = useNow();
  const { label, events, position, from, startedAt } = building;
  const share = shareOf(position, head);
  // A resumed build has not done in its time what was there when it began.
  const done = share === null ? 0 : ((position ?? 0) - (from ?? 0)) / Math.max(1, (head ?? 0) - (from ?? 0));
  const left = done > ENOUGH ? ((now - startedAt) / 1000) * Math.max(0, 1 / done - 1) : null;
  return <WorkProgress title={`Building version ${label} of ${projection}`} {...{ events, share, left }} />;
}
