import { Text } from '@mantine/core';
import type { CommandReport } from '../../api/operations.js';
import { Time, useNow } from '../../components/time.js';
import { shareOf, WorkProgress } from './work-progress.js';

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
  const share = progress === null ? null : shareOf(progress.position, progress.head);
  const elapsed = (now - startedAt) / 1000;
  const left = share !== null && share > 0.02 ? (elapsed * (1 - share)) / share : null;
  const title = `${doing[operation]} ${projection ?? ''}`.trim();
  if (state !== 'running')
    return (
      <Text size="sm" className={state === 'failed' ? 'bad' : undefined}>
        <Time at={endedAt ?? startedAt} relative /> · {projection ?? 'Snapshots'}: {outcome}
      </Text>
    );
  return <WorkProgress events={progress?.events ?? 0} {...{ title, share, left }} />;
}
