import { Badge, Button, Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import {
  isRunning,
  keptByNobody,
  useOperations,
  useCommand,
  useProjections,
  type DeadLetter,
  type Command,
  type CommandReport,
} from '../../api/operations.js';
import { useSession } from '../../api/session.js';
import { Confirm } from '../../components/confirm.js';
import { count } from '../../components/numbers.js';
import { Empty, Failed, Loaded, PageHead } from '../../components/states.js';
import { Stored } from '../log/event-drawer.js';
import { CommandProgress } from '../models/command-progress.js';
import { Unkept } from '../models/unkept.js';

/** Poison events of read models and reactors, and discarded events. */
export function DeadLetters() {
  const projections = useProjections();
  const command = useCommand();
  const [asked, setAsked] = useState<DeadLetter | null>(null);
  return (
    <>
      <PageHead title="Dead letters">
        A read model stops before an event that it cannot apply, a reactor before one that it cannot act on.
        Mend the program and retry, or discard the event; discarded events can be restored.
      </PageHead>
      <div className="stack">
        {command.error !== null && <Failed error={command.error} />}
        <Loaded query={projections} of="the dead letters">
          {({ dead_letters: letters, projections: models }) => (
            <>
              <Unkept models={models} />
              <Letters
                letters={letters}
                isUnkept={keptByNobody(models) !== null}
                isSending={command.isPending}
                give={command.mutate}
                ask={setAsked}
              />
            </>
          )}
        </Loaded>
      </div>
      <DiscardQuestion
        asked={asked}
        onCancel={() => setAsked(null)}
        onConfirm={(letter) => {
          command.mutate(about('discard', letter));
          setAsked(null);
        }}
      />
    </>
  );
}

/** A command about exactly the event that is shown: the model may have stopped at another one meanwhile. */
function about(operation: 'retry' | 'discard' | 'restore', { projection, event }: DeadLetter): Command {
  return { operation, projection, event_id: event.id };
}

interface LetterActions {
  /** Whether no running process keeps the read models: then nobody knows where they are halted. */
  readonly isUnkept: boolean;
  /** Whether a command is being sent. */
  readonly isSending: boolean;
  readonly give: (command: Command) => void;
  readonly ask: (letter: DeadLetter) => void;
}

function Letters({ letters, ...actions }: LetterActions & { readonly letters: readonly DeadLetter[] }) {
  const commands = useOperations().data?.orders ?? [];
  if (letters.length === 0)
    return (
      <Paper withBorder>
        <Empty>
          {actions.isUnkept
            ? 'None is known here.'
            : 'There are none: nothing is halted, and no event was discarded.'}
        </Empty>
      </Paper>
    );
  return letters.map((letter) => (
    <Letter
      key={`${letter.projection} ${letter.event.id} ${letter.state}`}
      letter={letter}
      last={commands.find((one) => isAbout(one, letter)) ?? null}
      {...actions}
      isBusy={isRunning(commands, letter.projection)}
    />
  ));
}

interface DiscardQuestionProps {
  readonly asked: DeadLetter | null;
  readonly onCancel: () => void;
  readonly onConfirm: (letter: DeadLetter) => void;
}

function DiscardQuestion({ asked, onCancel, onConfirm }: DiscardQuestionProps) {
  return (
    <Confirm
      title="Discard the event?"
      action="Discard"
      isOpen={asked !== null}
      onCancel={onCancel}
      onConfirm={() => asked !== null && onConfirm(asked)}
    >
      {asked !== null && (
        <>
          <Follower name={asked.projection} /> will go on as if {asked.event.type} at position{' '}
          {count(asked.event.position)} had never happened, and whatever is rebuilt of it too. What is read
          lacks it until it is restored.
        </>
      )}
    </Confirm>
  );
}

/** What stopped: a read model or a reactor. */
function Follower({ name }: { readonly name: string }) {
  const isReactor = name.startsWith(REACTOR);
  return (
    <>
      {isReactor ? 'Reactor' : 'Read model'} <b>{isReactor ? name.slice(REACTOR.length) : name}</b>
    </>
  );
}

const REACTOR = 'reactor:';

const acts: ReadonlySet<string> = new Set(['retry', 'discard', 'restore']);

function isAbout({ operation, projection }: CommandReport, letter: DeadLetter): boolean {
  return acts.has(operation) && projection === letter.projection;
}

interface LetterProps extends LetterActions {
  readonly letter: DeadLetter;
  /** What was last done about it; null: nothing since the server started. */
  readonly last: CommandReport | null;
  /** Whether an operation on the model or reactor is running: the server refuses another one. */
  readonly isBusy: boolean;
}

function Letter({ letter, last, isBusy, isSending, isUnkept, ...actions }: LetterProps) {
  const { projection, event, reason, state } = letter;
  const [isShown, setShown] = useState(false);
  const { access } = useSession();
  return (
    <Paper withBorder p="md" component="article" aria-label={`${event.type} before ${projection}`}>
      <Group justify="space-between" mb="xs">
        <Text>
          <Follower name={projection} /> {state === 'waiting' ? 'is halted at' : 'goes on without'}{' '}
          <code>{event.type}</code> at position <span className="numbers">{count(event.position)}</span>
        </Text>
        <Badge variant="light" color={state === 'waiting' ? 'red' : 'gray'}>
          {state}
        </Badge>
      </Group>
      <Text size="sm" mb="sm">
        {reason}
      </Text>
      <Group gap="xs">
        <LetterButtons letter={letter} isDisabled={isSending || isBusy || isUnkept} {...actions} />
        {access.may_audit && (
          <Button size="xs" variant="subtle" onClick={() => setShown(!isShown)} aria-expanded={isShown}>
            {isShown ? 'Hide the event' : 'Show the event'}
          </Button>
        )}
      </Group>
      {last !== null && <CommandProgress command={last} />}
      {isShown && (
        <div className="letter-event">
          <Stored position={event.position} level={2} />
        </div>
      )}
    </Paper>
  );
}

interface LetterButtonsProps extends Pick<LetterActions, 'give' | 'ask'> {
  readonly letter: DeadLetter;
  readonly isDisabled: boolean;
}

function LetterButtons({ letter, isDisabled, give, ask }: LetterButtonsProps) {
  if (letter.state === 'discarded')
    return (
      <Button size="xs" disabled={isDisabled} onClick={() => give(about('restore', letter))}>
        Restore
      </Button>
    );
  return (
    <>
      <Button size="xs" disabled={isDisabled} onClick={() => give(about('retry', letter))}>
        Retry
      </Button>
      <Button size="xs" variant="default" disabled={isDisabled} onClick={() => ask(letter)}>
        Discard…
      </Button>
    </>
  );
}
