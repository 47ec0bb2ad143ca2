import pLimit from 'p-limit';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { Reactor } from './reactor.js';

type Partitioned = Pick<Reactor, 'partitionOf'>;

/** Maximum number of partitions of a command's events that are handled concurrently. */
const PARTITIONS_AT_ONCE = 8;

/** Groups events in log order as a reactor handles them: by command if it has partitions, else one by one. */
export function* commandsOf(
  { partitionOf }: Partitioned,
  events: readonly RecordedEvent[],
): Iterable<readonly RecordedEvent[]> {
  let from = 0;
  for (let end = 1; end <= events.length; end += 1) {
    const { commandId } = events[from]!.metadata;
    if (partitionOf !== undefined && events[end]?.metadata.commandId === commandId) continue;
    yield events.slice(from, end);
    from = end;
  }
}

/**
 * Handles events: those of one partition one after another, until one fails.
 *
 * @returns the errors
 */
export async function failuresOf(
  reactor: Partitioned,
  events: readonly RecordedEvent[],
  act: (event: RecordedEvent) => Promise<void>,
): Promise<ReadonlyMap<RecordedEvent, unknown>> {
  const limit = pLimit(PARTITIONS_AT_ONCE);
  const failures = new Map<RecordedEvent, unknown>();
  const actInOrder = async (partition: readonly RecordedEvent[]): Promise<void> => {
    for (const event of partition) {
      try {
        await act(event);
      } catch (error) {
        failures.set(event, error);
        return;
      }
    }
  };
  await limit.map(partitionsOf(reactor, events), actInOrder);
  return failures;
}

function partitionsOf(
  { partitionOf }: Partitioned,
  events: readonly RecordedEvent[],
): readonly (readonly RecordedEvent[])[] {
  const partitions = new Map<number | string | null, RecordedEvent[]>();
  for (const event of events) {
    const key = partitionOf?.(event) ?? null;
    const partition = partitions.get(key);
    if (partition === undefined) partitions.set(key, [event]);
    else partition.push(event);
  }
  return [...partitions.values()];
}
