import { MAX_PAGE, type EventStore, type PersistedEvent } from '../../stores/event-store/port.js';

/** The place of an event in its stream. */
interface EventPlace {
  readonly stream: string;
  readonly revision: number;
}

/** Events of a stream that are at most this many revisions apart are read together with those between them. */
const NEAR = 8;

/** Reads single events of the log. In log order, without those that the store does not have. */
export async function storedEventsAt(
  store: Pick<EventStore, 'readStream'>,
  places: readonly EventPlace[],
): Promise<readonly PersistedEvent[]> {
  const events = await Promise.all(streamRangesOf(places).map((range) => readRange(store, range)));
  return events.flat().sort((one, other) => one.position - other.position);
}

interface StreamRange {
  readonly stream: string;
  readonly revisions: number[];
}

function streamRangesOf(places: readonly EventPlace[]): readonly StreamRange[] {
  const ranges: StreamRange[] = [];
  const sorted = places.toSorted(
    (one, other) => compare(one.stream, other.stream) || one.revision - other.revision,
  );
  for (const { stream, revision } of sorted) {
    const last = ranges.at(-1);
    const isNear = last?.stream === stream && revision - last.revisions.at(-1)! <= NEAR;
    if (isNear && revision - last.revisions[0]! < MAX_PAGE) last.revisions.push(revision);
    else ranges.push({ stream, revisions: [revision] });
  }
  return ranges;
}

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

async function readRange(
  store: Pick<EventStore, 'readStream'>,
  { stream, revisions }: StreamRange,
): Promise<readonly PersistedEvent[]> {
  const [from, through] = [revisions[0]!, revisions.at(-1)!];
  const wanted = new Set(revisions);
  const events = await store.readStream(stream, { from, limit: through - from + 1 });
  return events.filter(({ revision }) => wanted.has(revision));
}
