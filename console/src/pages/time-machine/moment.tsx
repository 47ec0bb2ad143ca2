import { Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useApi } from '../../api/use-api.js';
import { Time } from '../../components/time.js';
import { count } from '../../components/numbers.js';
import { deedOf, type ConversationChange, type ConversationChanges, type PastMoment } from './past.js';

const PATH = 'audit/conversation/changes';

/** After the end of every log. */
const END = Number.MAX_SAFE_INTEGER;

export interface MomentProps {
  readonly conversation: Readonly<Record<string, unknown>>;
  /** Null: not loaded yet. */
  readonly at: PastMoment | null;
  /** Whether it is still the previous time, while the selected one is loading. */
  readonly isPassing: boolean;
  /** The position in the address; null: there is none, or a time. */
  readonly asked: number | null;
  readonly onMove: (position: string) => void;
}

/** A slider over the history of a conversation, and buttons to the next and previous change. */
export function Moment({ conversation, at, isPassing, asked, onMove }: MomentProps) {
  const first = useApi<ConversationChanges>(PATH, { ...conversation, after: 0, limit: 1 }).data?.changes[0];
  const last = useApi<ConversationChanges>(PATH, { ...conversation, before: END, limit: 1 }).data?.changes[0];
  const enabled = at !== null;
  const before = useApi<ConversationChanges>(
    PATH,
    { ...conversation, before: at?.position ?? 0, limit: 1 },
    { enabled },
  );
  const next = useApi<ConversationChanges>(
    PATH,
    { ...conversation, after: at?.position ?? 0, limit: 1 },
    { enabled },
  );
  if (first === undefined || last === undefined || at === null) return null;
  return (
    <div className="moment">
      <Slider first={first} last={last} position={asked ?? at.position} onMove={onMove} />
      <Group justify="space-between" gap="sm">
        <Step
          label="Change before"
          change={before.data?.changes[0]}
          isPending={isPassing || before.isPlaceholderData}
          onMove={onMove}
        />
        <Text size="sm" ta="center">
          <Time at={at.time} /> · position <span className="numbers">{count(at.position)}</span>
        </Text>
        <Step
          label="Next change"
          change={next.data?.changes[0]}
          isPending={isPassing || next.isPlaceholderData}
          onMove={onMove}
        />
      </Group>
    </div>
  );
}

interface SliderProps {
  readonly first: ConversationChange;
  readonly last: ConversationChange;
  readonly position: number;
  readonly onMove: (position: string) => void;
}

function Slider({ first, last, position, onMove }: SliderProps) {
  const [dragged, setDragged] = useState<number | null>(null);
  useEffect(() => {
    if (dragged === null) return undefined;
    // Dragging passes many positions, so loading is delayed.
    const timer = setTimeout(() => {
      onMove(String(dragged));
      setDragged(null);
    }, 250);
    return () => clearTimeout(timer);
  }, [dragged, onMove]);
  const value = dragged ?? position;
  return (
    <input
      type="range"
      className="moment-slider"
      aria-label="Moment"
      aria-valuetext={`Position ${value}`}
      min={first.position}
      max={Math.max(last.position, first.position + 1)}
      value={Math.min(Math.max(value, first.position), last.position)}
      onChange={({ target }) => setDragged(Number(target.value))}
    />
  );
}

interface StepProps {
  readonly label: string;
  readonly change: ConversationChange | undefined;
  /** Whether it is still the step from the previous time, which must not be taken again. */
  readonly isPending: boolean;
  readonly onMove: (position: string) => void;
}

/** While it is pending, it keeps its looks and the focus, so that nothing flickers between steps. */
function Step({ label, change, isPending, onMove }: StepProps) {
  return (
    <Button
      variant="default"
      size="xs"
      disabled={change === undefined}
      aria-disabled={isPending}
      title={change && !isPending ? deedOf(change) : undefined}
      onClick={() => change && !isPending && onMove(String(change.position))}
    >
      {label}
    </Button>
  );
}
