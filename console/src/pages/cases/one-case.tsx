import { Anchor, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { Empty, Failed, Loaded, PageHead, Panel } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { useCaseAct, useTasks, type Case, type Task } from './case.js';
import { CaseForm } from './form.js';
import { Hold } from './hold.js';
import { ActorName, Scope } from './scope.js';
import { TaskForm, type TaskInput } from './task-form.js';
import { TaskResult } from './task-result.js';

interface OneCaseProps {
  readonly of: Case;
  /** Reads the case again. */
  readonly onRead: () => void;
}

/** One case: its scope, its hold, and its tasks. */
export function OneCase({ of, onRead }: OneCaseProps) {
  const act = useCaseAct();
  return (
    <>
      <PageHead title={of.name}>
        Case {of.id}, created <Time at={of.created.at * 1000} /> by <ActorName attribution={of.created} />.{' '}
        <Anchor component={Link} href="/cases" size="sm">
          All cases
        </Anchor>
      </PageHead>
      <div className="stack">
        {act.error !== null && <Failed error={act.error} />}
        <Hold of={of} isBusy={act.isPending} onAct={act.mutate} onRead={onRead} />
        <Panel title="What it is about">
          <About of={of} act={act} />
        </Panel>
        <Tasks of={of} act={act} />
      </div>
    </>
  );
}

interface PartProps {
  readonly of: Case;
  readonly act: ReturnType<typeof useCaseAct>;
}

function About({ of, act }: PartProps) {
  if (of.state === 'closed')
    return (
      <Stack gap="sm">
        {of.description !== '' && <Text size="sm">{of.description}</Text>}
        <Scope of={of} />
      </Stack>
    );
  return (
    <CaseForm
      of={of}
      isBusy={act.isPending}
      onSave={(parameters, onSaved) =>
        act.mutate(
          { method: 'PATCH', path: `cases/${of.id}`, parameters },
          { onSuccess: (reply) => onSaved((reply as { readonly case: Case }).case) },
        )
      }
    />
  );
}

/** Searches, counts and exports. */
function Tasks({ of, act }: PartProps) {
  const tasks = useTasks(of.id);
  // Tasks do not tell what was searched.
  const [wordsById, setWordsById] = useState<Readonly<Record<string, string>>>({});
  const isBusy = act.isPending || (tasks.data?.tasks.some(({ state }) => state === 'running') ?? false);
  const begin = (input: TaskInput): void => {
    const parameters = { ...input };
    act.mutate(
      { method: 'POST', path: `cases/${of.id}/tasks`, parameters },
      {
        onSuccess: (reply) => {
          const { id } = (reply as { readonly task: Task }).task;
          if (input.kind === 'search') setWordsById((known) => ({ ...known, [id]: input.words }));
        },
      },
    );
  };
  return (
    <>
      <Panel title="Search, count and export">
        <TaskForm isBusy={isBusy} onBegin={begin} />
      </Panel>
      <Panel title="Results">
        <Loaded query={tasks} of="the results">
          {({ tasks: all }) =>
            all.length === 0 ? (
              <Empty>No search, count or export since the server started.</Empty>
            ) : (
              <Stack>
                {all.map((task) => (
                  <TaskResult
                    key={task.id}
                    task={task}
                    caseId={of.id}
                    searched={wordsById[task.id] ?? null}
                    isBusy={isBusy}
                    onSearchOn={begin}
                    onDrop={() => act.mutate({ method: 'DELETE', path: `case-tasks/${task.id}` })}
                  />
                ))}
              </Stack>
            )
          }
        </Loaded>
      </Panel>
    </>
  );
}
