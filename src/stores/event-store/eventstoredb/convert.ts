import type { AllStreamRecordedEvent, RecordedEvent } from '@eventstore/db-client';
import type { JsonObject } from '../../../kernel/json.js';
import type { PersistedEvent } from '../port.js';

/**
 * Positions are byte offsets of the server's log and revisions are counts; both stay far below 2^53.
 *
 * @throws RangeError when one does not
 */
export function toSafeInteger(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`${value} exceeds the integers that a number holds exactly`);
  return number;
}

/** For everything written over gRPC the commit and the prepare position are the same. */
export function toPosition(position: number): { commit: bigint; prepare: bigint } {
  return { commit: BigInt(position), prepare: BigInt(position) };
}

/** An event as the client gives it, in the port's shape. The client hands back `undefined` for empty metadata. */
export function toPersistedEvent(event: RecordedEvent | AllStreamRecordedEvent): PersistedEvent {
  if (!event.position) throw new TypeError(`Event ${event.id} was read without a position`);
  return {
    id: event.id,
    type: event.type,
    data: event.data as JsonObject,
    metadata: (event.metadata ?? {}) as JsonObject,
    stream: event.streamId,
    revision: toSafeInteger(event.revision),
    position: toSafeInteger(event.position.commit),
  };
}

/** EventStoreDB's own events stand between ours in the log. */
export function isSystemEvent({ type }: { readonly type: string }): boolean {
  return type.startsWith('$');
}
