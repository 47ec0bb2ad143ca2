import { Progress, Text } from '@mantine/core';
import type { CommandReport } from '../../api/operations.js';
import { duration, plural } from '../../components/numbers.js';
import { Time, useNow } from '../../components/time.js';

const doing: Readonly<Record<CommandReport['operation'], string>> = {
  rebuild: 'Rebuilding',
  verify: 'Comparing with a rebuilt one:',
  rollback: 'Rolling back',
  drop: 'Dropping versions of',
  pause: 'Pausing',
  resume: 'Resuming',
  retry: 'Retrying',
  discard: 'Discarding for',
  restore: 'Restoring for',
  'drop-snapshots': 'Removing snapshots',
};

/** The progress of a task and the remaining time, or its result. */
export function CommandProgress({ command }: { readonly command: CommandReport }) {
  const now = useNow();
  const { operation, projection, progress, state, outcome, startedAt, endedAt } = command;
  const share = shareOf(progress);
  const elapsed = (now - startedAt) / 1000;
  const left = share !== null && share > 0.02 ? (elapsed * (1 - share)) / share : null;
  const title = `${doing[operation]} ${projection ?? ''}`.trim();
  if (state !== 'running')
    return (
      <Text size="sm" className={state === 'failed' ? 'bad' : undefined}>
        <Time at={endedAt ?? startedAt} relative /> · {projection ?? 'Snapshots'}: {outcome}
      </Text>
    );
  return (
    <div className="command">
      <Text size="sm" className="numbers">
        <b>{title}</b> · {plural(progress?.events ?? 0, 'event')}
        {share !== null && ` · ${Math.floor(share * 100)} %`}
        {left !== null && ` · ${duration(left)} left`}
      </Text>
      <Progress value={(share ?? 1) * 100} animated={share === null} aria-label={title} mt={4} />
    </div>
  );
}

/** From 0 to 1; null: the total is unknown. */
function shareOf(progress: CommandReport['progress']): number | null {
  if (progress === null || progress.head === null || progress.head === 0) return null;
  return Math.min(1, (progress.position ?? 0) / progress.head);
}
