import { eventId, randomCommandId } from '../../../src/stores/event-store/event-id.js';
import type { EventCodec } from '../../../src/stores/event-store/codec.js';
import type { StoredEvent } from '../../../src/stores/event-store/port.js';
import type { EventMetadata } from '../../../src/kernel/event.js';
import { sampleMessage } from './sample-messages.js';

/** The stream of the messages. */
export const STREAM = 'messages';

/** Messages in stored form. */
export async function encodedSamples(codec: EventCodec): Promise<readonly StoredEvent[]> {
  const messages = Array.from({ length: 100 }, (_, index) =>
    sampleMessage(index, { senderId: 1, channelId: 1 }),
  );
  return codec.encode({ stream: STREAM, expected: 'any' }, messages, sampleMetadata());
}

/** An endless sequence of events that repeats the samples, each with a new id. */
export function* eventsLike(samples: readonly StoredEvent[]): Generator<StoredEvent, never> {
  for (;;) for (const sample of samples) yield { ...sample, id: eventId(randomCommandId(), 0) };
}

/** The next `count` events. */
export function take(events: Generator<StoredEvent, never>, count: number): readonly StoredEvent[] {
  return Array.from({ length: count }, () => events.next().value);
}

/** The metadata of the measured commands. */
export function sampleMetadata(): EventMetadata {
  return { actorId: 1, commandId: randomCommandId(), causationId: null, client: 'bench', at: Date.now() };
}
