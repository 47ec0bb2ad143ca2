import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { Confirm } from '../../components/confirm.js';
import { Empty, Failed, Loaded, PageHead, Panel } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { useCaseAct, useTasks, type Case, type CaseRequest } from './case.js';
import { CaseForm } from './form.js';
import { ActorName, Scope } from './scope.js';
import { TaskResult } from './task-result.js';

/** One case: its scope, its hold, and its tasks. */
export function OneCase({ of }: { readonly of: Case }) {
  const act = useCaseAct();
  const tasks = useTasks(of.id);
  const [words, setWords] = useState('');
  const isBusy = act.isPending || (tasks.data?.tasks.some(({ state }) => state === 'running') ?? false);
  const begin = (parameters: Readonly<Record<string, unknown>>): void =>
    act.mutate({ method: 'POST', path: `cases/${of.id}/tasks`, parameters });
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
        <Hold of={of} isBusy={act.isPending} onAct={act.mutate} />
        <Panel title="What it is about">
          {of.state === 'open' ? (
            <CaseForm
              key={of.revision}
              of={of}
              isHeld={of.hold !== null}
              isBusy={act.isPending}
              onSave={(parameters) => act.mutate({ method: 'PATCH', path: `cases/${of.id}`, parameters })}
            />
          ) : (
            <Stack gap="sm">
              {of.description !== '' && <Text size="sm">{of.description}</Text>}
              <Scope of={of} />
            </Stack>
          )}
        </Panel>
        <Panel title="Search, count and export">
          <form
            onSubmit={(event) => {
              event.preventDefault();
              begin({ kind: 'search', words });
            }}
          >
            <Stack gap="sm">
              <Text size="sm">
                The search includes deleted messages and earlier versions whose keys still exist. Every
                search, count and export is recorded.
              </Text>
              <TextInput
                label="Words to search"
                placeholder="all must occur; quoted words must be adjacent"
                value={words}
                onChange={({ target }) => setWords(target.value)}
              />
              <Group>
                <Button type="submit" size="xs" disabled={isBusy || words.trim() === ''}>
                  Search
                </Button>
                <Button size="xs" variant="default" disabled={isBusy} onClick={() => begin({ kind: 'size' })}>
                  Count what it covers
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  disabled={isBusy}
                  onClick={() => begin({ kind: 'export' })}
                >
                  Export
                </Button>
              </Group>
            </Stack>
          </form>
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
                      onDrop={() => act.mutate({ method: 'DELETE', path: `case-tasks/${task.id}` })}
                    />
                  ))}
                </Stack>
              )
            }
          </Loaded>
        </Panel>
      </div>
    </>
  );
}

interface HoldProps {
  readonly of: Case;
  readonly isBusy: boolean;
  readonly onAct: (request: CaseRequest) => void;
}

type Question = 'place' | 'lift' | 'close';

/** The legal hold, and closing the case. */
function Hold({ of: { id, name, state, hold, closed }, isBusy, onAct }: HoldProps) {
  const [asked, ask] = useState<Question | null>(null);
  const requests: Readonly<Record<Question, CaseRequest>> = {
    place: { method: 'POST', path: `cases/${id}/hold` },
    lift: { method: 'DELETE', path: `cases/${id}/hold` },
    close: { method: 'POST', path: `cases/${id}/close` },
  };
  return (
    <Panel title="Legal hold">
      <Stack gap="sm">
        <Text size="sm">
          {closed !== null && (
            <>
              The case was closed <Time at={closed.at * 1000} /> by <ActorName attribution={closed} />: it can
              be read, but not changed any more.
            </>
          )}
          {state === 'open' &&
            hold === null &&
            'There is no hold: what the case covers can be deleted and erased as usual.'}
          {hold !== null && (
            <>
              Held since <Time at={hold.at * 1000} /> by <ActorName attribution={hold} />: what the case
              covers stays readable for auditors, even if somebody deletes it.
            </>
          )}
        </Text>
        {state === 'open' && (
          <Group>
            {hold === null ? (
              <>
                <Button size="xs" disabled={isBusy} onClick={() => ask('place')}>
                  Place a hold
                </Button>
                <Button size="xs" variant="default" disabled={isBusy} onClick={() => ask('close')}>
                  Close the case
                </Button>
              </>
            ) : (
              <Button size="xs" variant="default" disabled={isBusy} onClick={() => ask('lift')}>
                Lift the hold
              </Button>
            )}
          </Group>
        )}
      </Stack>
      <Confirm
        title={asked === null ? '' : questions[asked].title}
        action={asked === null ? '' : questions[asked].action}
        isOpen={asked !== null}
        onCancel={() => ask(null)}
        onConfirm={() => {
          if (asked !== null) onAct(requests[asked]);
          ask(null);
        }}
      >
        <bdi>{name}</bdi>: {asked !== null && questions[asked].effect}
      </Confirm>
    </Panel>
  );
}

const questions = {
  place: {
    title: 'Place a legal hold?',
    effect:
      'from now on, what this case covers stays readable for auditors, even if somebody deletes it, and the people whom it covers cannot be erased. The scope of the case cannot be changed until the hold is lifted. Nobody else is notified.',
    action: 'Place the hold',
  },
  lift: {
    title: 'Lift the legal hold?',
    effect:
      'what would have been erased without the hold is now erased permanently, unless another hold covers it. This cannot be undone.',
    action: 'Lift the hold',
  },
  close: {
    title: 'Close the case?',
    effect:
      'it can still be read, searched and exported, but it can never be changed or held again. This cannot be undone.',
    action: 'Close the case',
  },
} as const;
