import { Progress, Text } from '@mantine/core';
import { duration, plural } from '../../components/numbers.js';

interface WorkProgressProps {
  readonly title: string;
  /** How many events were read. */
  readonly events: number;
  /** The part that is done, from 0 to 1; null: the total is unknown. */
  readonly share: number | null;
  /** The remaining time in seconds; null: unknown. */
  readonly left: number | null;
}

/** The progress of running work on a read model. */
export function WorkProgress({ title, events, share, left }: WorkProgressProps) {
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

/** The part of the log that was read, from 0 to 1; null: the end of the log is unknown, or the log is empty. */
export function shareOf(position: number | null, head: number | null): number | null {
  return head === null || head === 0 ? null : Math.min(1, (position ?? 0) / head);
}
