import { Progress, Text } from '@mantine/core';
import type { Building } from '../../api/operations.js';
import { duration, plural } from '../../components/numbers.js';
import { useNow } from '../../components/time.js';

interface BuildProgressProps {
  readonly projection: string;
  readonly building: Building;
  /** Position of the last event of the log; null: the log is empty. */
  readonly head: number | null;
}

/** The part that must be done before a remaining time is told. */
const ENOUGH = 0.01;

/** The progress of a build of a read model, and the remaining time. */
export function BuildProgress({ projection, building, head }: BuildProgressProps) {
  const now = useNow();
  const { label, events, position, from, startedAt } = building;
  const share = head === null || head === 0 ? null : Math.min(1, (position ?? 0) / head);
  // A resumed build has not done in its time what was there when it began.
  const done = share === null ? 0 : ((position ?? 0) - (from ?? 0)) / Math.max(1, (head ?? 0) - (from ?? 0));
  const left = done > ENOUGH ? ((now - startedAt) / 1000) * Math.max(0, 1 / done - 1) : null;
  const title = `Building version ${label} of ${projection}`;
  return (
    <div className="command">
      <Text size="sm" className="numbers">
        <b>{title}</b> · {plural(events, 'event')}
        {share !== null && ` · ${Math.floor(share * 100)} %`}
        {left !== null && ` · ${duration(left)} left`}
      </Text>
      <Progress value={(share ?? 1) * 100} animated={share === null} aria-label={title} mt={4} />
    </div>
  );
}
