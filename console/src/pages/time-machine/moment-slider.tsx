import { Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { count, plural } from '../../components/numbers.js';
import { Empty, Loading } from '../../components/states.js';
import { Time, timeText } from '../../components/time.js';
import {
  actorOf,
  actionOf,
  summaryOf,
  type ConversationChange,
  type PastConversation,
  type PastMoment,
} from './past.js';

export interface MomentSliderProps {
  /** Undefined: not loaded yet. */
  readonly past: PastConversation | undefined;
  /** Whether it is still the previous time, while the selected one is loading. */
  readonly isPassing: boolean;
  /** The position in the address; null: there is none, or a time. */
  readonly asked: number | null;
  /** Goes to a position. */
  readonly onMove: (position: string) => void;
  /** Goes to a change, and shows its message. */
  readonly onStep: (change: ConversationChange) => void;
}

/** A slider over the history of a conversation, and buttons to the next and previous change. */
export function MomentSlider({ past, isPassing, asked, onMove, onStep }: MomentSliderProps) {
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
  if (past === undefined) return <Loading of="the changes" />;
  const { as_of: at, changes } = past;
  const { first, last, current } = changes;
  if (first === null || last === null) return <Empty>This conversation has no events.</Empty>;
  const step = (change: ConversationChange | null): void => {
    if (change !== null && !isPassing) onStep(change);
  };
  return (
    <div className="moment">
      <Slider
        ends={[first, last]}
        position={dragged ?? asked ?? at.position}
        text={dragged === null && !isPassing ? momentText(at) : null}
        onDrag={setDragged}
        onStep={(way) => step(changes[way])}
      />
      <Group justify="space-between" gap="sm" className="moment-steps">
        <Step label="Change before" change={changes.before} isPending={isPassing} onStep={step} />
        <div className="moment-now">
          <Text size="sm">
            {dragged === null ? <Time at={at.time} /> : 'Going to'} · position{' '}
            <span className="numbers">{count(dragged ?? at.position)}</span>
          </Text>
          <Current change={current} at={at} />
        </div>
        <Step label="Next change" change={changes.next} isPending={isPassing} onStep={step} />
      </Group>
    </div>
  );
}

function momentText({ time, position }: PastMoment): string {
  return `${timeText(time)}, position ${count(position)}`;
}

interface SliderProps {
  readonly ends: readonly [first: ConversationChange, last: ConversationChange];
  readonly position: number;
  /** The moment for screen readers; null: it is not known yet. */
  readonly text: string | null;
  readonly onDrag: (position: number) => void;
  readonly onStep: (way: 'before' | 'next') => void;
}

const keys: Readonly<Record<string, 'before' | 'next'>> = {
  ArrowLeft: 'before',
  ArrowDown: 'before',
  ArrowRight: 'next',
  ArrowUp: 'next',
};

/** The arrow keys go from change to change, because at most positions nothing happened in the conversation. */
function Slider({ ends: [first, last], position, text, onDrag, onStep }: SliderProps) {
  return (
    <div>
      <input
        type="range"
        className="moment-slider"
        aria-label="Moment"
        aria-valuetext={text ?? `Position ${count(position)}`}
        title="The arrow keys go from change to change"
        min={first.position}
        max={Math.max(last.position, first.position + 1)}
        value={Math.min(Math.max(position, first.position), last.position)}
        onChange={({ target }) => onDrag(Number(target.value))}
        onKeyDown={(event) => {
          const way = keys[event.key];
          if (way === undefined) return;
          event.preventDefault();
          onStep(way);
        }}
      />
      <Group justify="space-between" className="moment-ends">
        <Time at={first.time} />
        <Time at={last.time} />
      </Group>
    </div>
  );
}

/** What led to what is shown. */
function Current({ change, at }: { readonly change: ConversationChange | null; readonly at: PastMoment }) {
  if (change === null) return <Text size="sm">Nothing had happened yet.</Text>;
  const [before, after] = actionOf(change);
  const others = change.count - 1;
  return (
    <Text size="sm" c="dimmed" role="status">
      {change.position === at.position ? '' : 'Last change: '}
      <bdi>{actorOf(change)}</bdi> {before}{' '}
      <Link href={`/messages/${change.message_id}`} className="said-link">
        message {change.message_id}
      </Link>
      {others > 0 && ` and ${plural(others, 'other')}`}
      {after}
    </Text>
  );
}

interface StepProps {
  readonly label: string;
  readonly change: ConversationChange | null;
  /** Whether it is still the step from the previous time, which must not be taken again. */
  readonly isPending: boolean;
  readonly onStep: (change: ConversationChange | null) => void;
}

/** While it is pending, it keeps its looks and the focus, so that nothing flickers between steps. */
function Step({ label, change, isPending, onStep }: StepProps) {
  return (
    <Button
      variant="default"
      size="xs"
      disabled={change === null}
      aria-disabled={isPending}
      title={change !== null && !isPending ? summaryOf(change) : undefined}
      onClick={() => onStep(change)}
    >
      {label}
    </Button>
  );
}
