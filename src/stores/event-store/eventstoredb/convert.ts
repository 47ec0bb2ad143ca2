import type { AllStreamRecordedEvent, RecordedEvent } from '@eventstore/db-client';
import type { JsonObject } from '../../../kernel/json.js';
import type { PersistedEvent } from '../port.js';

/**
 * Converts a position (byte offset in the server's log) or a revision. Both stay far below 2^53.
 *
 * @throws RangeError when the value is not a safe integer
 */
export function toSafeInteger(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`${value} exceeds the integers that a number holds exactly`);
  return number;
}

/** For events written over gRPC, the commit and prepare positions are the same. */
export function toPosition(position: number): { commit: bigint; prepare: bigint } {
  return { commit: BigInt(position), prepare: BigInt(position) };
}

/** Converts the client's event to the port's shape. The client returns `undefined` for empty metadata. */
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

/** EventStoreDB's own events are in the same log. */
export function isSystemEvent({ type }: { readonly type: string }): boolean {
  return type.startsWith('$');
}
