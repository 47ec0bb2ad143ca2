import type { DomainEvent, EventMetadata } from '../../kernel/event.js';
import type { AppendPlace } from './codec.js';
import type { EventLog } from './event-log.js';
import { WrongExpectedRevisionError } from './port.js';

/** An append that another writer may have come before. */
interface UncertainAppend {
  readonly target: AppendPlace;
  readonly events: readonly DomainEvent[];
  readonly metadata: EventMetadata;
}

/** Appends events at the expected revision of their stream; appends nothing if another writer came first. */
export async function appendIfFirst(
  log: Pick<EventLog, 'append'>,
  { target, events, metadata }: UncertainAppend,
): Promise<void> {
  try {
    await log.append(target, events, metadata);
  } catch (error) {
    if (!(error instanceof WrongExpectedRevisionError)) throw error;
  }
}
