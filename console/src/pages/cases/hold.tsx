import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../components/confirm.js';
import { Panel } from '../../components/states.js';
import { Time } from '../../components/time.js';
import type { Case, CaseRequest } from './case.js';
import { ActorName, Scope } from './scope.js';

interface HoldProps {
  readonly of: Case;
  readonly isBusy: boolean;
  readonly onAct: (request: CaseRequest) => void;
  /** Reads the case again. */
  readonly onRead: () => void;
}

type Question = keyof typeof questions;

/** The legal hold, and closing the case. */
export function Hold({ of, isBusy, onAct, onRead }: HoldProps) {
  const [asked, setAsked] = useState<Question | null>(null);
  return (
    <Panel title="Legal hold">
      <Stack gap="sm">
        <HoldState of={of} />
        {of.state === 'open' && (
          <HoldButtons
            isHeld={of.hold !== null}
            isBusy={isBusy}
            ask={(question) => {
              // The scope that the question shows is the present one.
              onRead();
              setAsked(question);
            }}
          />
        )}
      </Stack>
      <Confirm
        title={asked === null ? '' : questions[asked].title}
        action={asked === null ? '' : questions[asked].action}
        isOpen={asked !== null}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          if (asked !== null) onAct(requestOf(asked, of));
          setAsked(null);
        }}
      >
        <bdi>{of.name}</bdi>: {asked !== null && questions[asked].effect}
        <Scope of={of} />
      </Confirm>
    </Panel>
  );
}

/** A hold is placed, and a case is closed, only on the scope that was shown. */
function requestOf(question: Question, { id, revision }: Case): CaseRequest {
  const parameters = { revision };
  switch (question) {
    case 'place':
      return { method: 'POST', path: `cases/${id}/hold`, parameters };
    case 'lift':
      return { method: 'DELETE', path: `cases/${id}/hold` };
    case 'close':
      return { method: 'POST', path: `cases/${id}/close`, parameters };
  }
}

function HoldState({ of: { state, hold, closed } }: { readonly of: Case }) {
  return (
    <Text size="sm">
      {closed !== null && (
        <>
          The case was closed <Time at={closed.at * 1000} /> by <ActorName attribution={closed} />: it can be
          read, but not changed any more.
        </>
      )}
      {state === 'open' &&
        hold === null &&
        'There is no hold: what the case covers can be deleted and erased as usual.'}
      {hold !== null && (
        <>
          Held since <Time at={hold.at * 1000} /> by <ActorName attribution={hold} />: what the case covers
          stays readable for auditors, even if somebody deletes it.
        </>
      )}
    </Text>
  );
}

interface HoldButtonsProps {
  readonly isHeld: boolean;
  readonly isBusy: boolean;
  readonly ask: (question: Question) => void;
}

function HoldButtons({ isHeld, isBusy, ask }: HoldButtonsProps) {
  if (isHeld)
    return (
      <Group>
        <Button size="xs" variant="default" disabled={isBusy} onClick={() => ask('lift')}>
          Lift the hold
        </Button>
      </Group>
    );
  return (
    <Group>
      <Button size="xs" disabled={isBusy} onClick={() => ask('place')}>
        Place a hold
      </Button>
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => ask('close')}>
        Close the case
      </Button>
    </Group>
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
