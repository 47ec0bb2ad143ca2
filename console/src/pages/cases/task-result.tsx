import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useDownload } from '../../api/use-download.js';
import { ConfirmButton } from '../../components/confirm-button.js';
import { bytes, count, plural } from '../../components/numbers.js';
import { Failed } from '../../components/states.js';
import { Time } from '../../components/time.js';
import type { Bundle, Hits, Size, Task } from './case.js';
import type { SearchInput } from './task-form.js';

const titles = { size: 'What it covers', search: 'Search', export: 'Export' } as const;

interface TaskResultProps {
  readonly task: Task;
  readonly caseId: number;
  /** The words of a search that this window began; null: unknown. */
  readonly searched: string | null;
  /** Whether no other task can be begun now. */
  readonly isBusy: boolean;
  readonly onSearchOn: (input: SearchInput) => void;
  readonly onDrop: () => void;
}

/** The progress of a task, and its result. */
export function TaskResult({ task, caseId, onDrop, ...continuing }: TaskResultProps) {
  return (
    <article aria-label={titles[task.kind]}>
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {titles[task.kind]}, <Time at={task.began * 1000} />
        </Text>
        <Drop task={task} caseId={caseId} onDrop={onDrop} />
      </Group>
      {task.state === 'running' && (
        <Stack gap={4}>
          <Progress value={task.progress * 100} aria-label={`${titles[task.kind]}: progress`} />
          <Text size="sm" role="status">
            {Math.floor(task.progress * 100)} % of the log looked through
          </Text>
        </Stack>
      )}
      {task.state === 'failed' && <Text size="sm">It ended: {task.error}</Text>}
      {task.kind === 'size' && task.result !== null && <Counted size={task.result} />}
      {task.kind === 'search' && task.result !== null && <Found hits={task.result} {...continuing} />}
      {task.kind === 'export' && task.result !== null && (
        <Made bundle={task.result} taskId={task.id} caseId={caseId} expires={task.expires} />
      )}
    </article>
  );
}

/** Only a bundle is asked about: another result is there again when its task is begun again. */
function Drop({ task, caseId, onDrop }: Pick<TaskResultProps, 'task' | 'caseId' | 'onDrop'>) {
  return (
    <ConfirmButton
      label={task.state === 'running' ? 'Cancel' : 'Forget'}
      size="compact-xs"
      asks={task.kind === 'export' && task.result !== null}
      title="Remove the bundle?"
      action="Remove the bundle"
      onConfirm={onDrop}
    >
      The bundle of case {caseId}, made <Time at={task.began * 1000} />, will be removed from the server and
      can no longer be downloaded. What it was made from stays, so another one can be made.
    </ConfirmButton>
  );
}

function unreadable(events: number): string {
  return `${plural(events, 'event')} that cannot be read`;
}

function Counted({ size }: { readonly size: Size }) {
  return (
    <Text size="sm">
      {plural(size.messages, 'message')} ({count(size.deleted_messages)} deleted) in{' '}
      {plural(size.versions, 'version')} ({count(size.erased_versions)} erased), {bytes(size.text_bytes)} of
      text; {plural(size.people, 'person', 'people')}; {plural(size.files, 'file')}, {bytes(size.file_bytes)};{' '}
      {plural(size.events, 'stored event')}
      {size.unreadable_events > 0 && `, and ${unreadable(size.unreadable_events)}`}.
    </Text>
  );
}

interface FoundProps extends Pick<TaskResultProps, 'searched' | 'isBusy' | 'onSearchOn'> {
  readonly hits: Hits;
}

function Found({ hits: { hits, looked, beyond, unreadable_events: lost }, ...continuing }: FoundProps) {
  return (
    <>
      <Text size="sm">
        Found in {count(hits.length)} of {plural(looked, 'message')}
        {beyond !== null && '; later messages have not been searched yet'}.
        {lost > 0 && ` The words may also be in ${unreadable(lost)}.`}
      </Text>
      <ul className="findings">
        {hits.map(({ message_id, sender_name, sent, deleted, versions }) => (
          <li key={message_id}>
            <Anchor component={Link} href={`/messages/${message_id}`} size="sm">
              Message {message_id}
            </Anchor>{' '}
            by <bdi>{sender_name ?? 'somebody'}</bdi>, <Time at={sent * 1000} />
            {deleted !== null && ', deleted since'}
            {versions.map(({ number, is_latest, excerpt }) => (
              <Text key={number} size="sm" dir="auto">
                {!is_latest && <em>Version {number}, changed since: </em>}
                {excerpt}
              </Text>
            ))}
          </li>
        ))}
      </ul>
      {beyond !== null && <SearchOn after={beyond} {...continuing} />}
    </>
  );
}

interface SearchOnProps extends Omit<FoundProps, 'hits'> {
  readonly after: number;
}

function SearchOn({ after, searched: words, isBusy, onSearchOn }: SearchOnProps) {
  if (words === null)
    return (
      <Text size="sm">
        This page does not have the words of this search any more, so it cannot continue it. Search for the
        same words again: the new search begins with the first message, and can be continued.
      </Text>
    );
  return (
    <Button
      size="xs"
      variant="default"
      disabled={isBusy}
      onClick={() => onSearchOn({ kind: 'search', words, after })}
    >
      Search on
    </Button>
  );
}

interface MadeProps {
  readonly bundle: Bundle;
  readonly taskId: string;
  readonly caseId: number;
  readonly expires: number | null;
}

function Made({ bundle, taskId, caseId, expires }: MadeProps) {
  const { error, isSaving, save } = useDownload(`audit/case-tasks/${taskId}/bundle`, `case-${caseId}.zip`);
  return (
    <Stack gap="xs">
      <Text size="sm">
        {plural(bundle.messages, 'message')}, {plural(bundle.files, 'file')}
        {bundle.missing_files > 0 && ` (${count(bundle.missing_files)} are not there any more)`},{' '}
        {plural(bundle.events, 'event')} with proofs
        {bundle.unreadable_events > 0 && `, without ${unreadable(bundle.unreadable_events)}`};{' '}
        {bytes(bundle.bytes)}, signed by <code>{bundle.signer}</code>
        {expires !== null && (
          <>
            , kept until <Time at={expires * 1000} />
          </>
        )}
        .
      </Text>
      <Text size="sm">
        The recipient can check it without this server:{' '}
        <code>
          palimpsest audit check case-{caseId}.zip --signer {bundle.signer}
        </code>
      </Text>
      <div>
        <Button size="xs" loading={isSaving} onClick={save}>
          Download the bundle
        </Button>
      </div>
      {error !== null && <Failed error={error} />}
    </Stack>
  );
}
