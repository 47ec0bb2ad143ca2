import type { JsonObject } from '../../kernel/json.js';
import {
  AppendTooLargeError,
  InvalidAppendError,
  MAX_APPEND_BYTES,
  MAX_PAGE,
  type ExpectedRevision,
  type StoredEvent,
} from './port.js';

/** A validated event, with its JSON as text. */
export interface SerializedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  /** Its public hash; absent: it has none. */
  readonly hash?: string;
}

const uuidForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Validates an append before it is sent or written, so that all adapters refuse the same appends. On some of what is refused here,
 * EventStoreDB's client would hang.
 *
 * @returns the events with their data and metadata as JSON text
 * @throws InvalidAppendError, AppendTooLargeError
 */
export function validateAppend(
  stream: string,
  expected: ExpectedRevision,
  events: readonly StoredEvent[],
): readonly SerializedEvent[] {
  validateName(stream, 'stream name');
  validateExpected(expected);
  if (events.length === 0) throw new InvalidAppendError('An append needs at least one event');
  const serialized = events.map(serialize);
  if (new Set(serialized.map((event) => event.id)).size < events.length) {
    throw new InvalidAppendError('An event id occurs twice in one append');
  }
  const bytes = serialized.reduce((sum, event) => sum + Buffer.byteLength(event.data), 0);
  if (bytes > MAX_APPEND_BYTES) throw new AppendTooLargeError(bytes);
  return serialized;
}

/**
 * Refuses a page size outside of the port's limits.
 *
 * @throws RangeError
 */
export function validatePageSize(size: number): void {
  if (!Number.isInteger(size) || size < 1 || size > MAX_PAGE) {
    throw new RangeError(`A page holds 1 to ${MAX_PAGE} events, not ${size}`);
  }
}

function validateExpected(expected: ExpectedRevision): void {
  if (expected === 'any' || expected === 'no-stream') return;
  if (Number.isSafeInteger(expected) && expected >= 0) return;
  throw new InvalidAppendError(`Not an expected revision: ${String(expected)}`);
}

/** A leading `$` marks EventStoreDB's system events, which readers of the log skip. */
function validateName(name: unknown, what: string): asserts name is string {
  if (typeof name !== 'string' || !name.isWellFormed() || !/^[^$\0][^\0]*$/.test(name)) {
    throw new InvalidAppendError(`Not a ${what}: ${JSON.stringify(name)}`);
  }
}

function serialize(event: StoredEvent): SerializedEvent {
  const { id, type, data, metadata } = event;
  if (typeof id !== 'string' || !uuidForm.test(id))
    throw new InvalidAppendError('An event id is not a lower-case UUID');
  validateName(type, 'event type');
  const texts = { data: toJson(data, 'data', type), metadata: toJson(metadata, 'metadata', type) };
  const { hash } = metadata;
  return { id, type, ...texts, ...(typeof hash === 'string' && { hash }) };
}

function toJson(value: JsonObject, what: string, type: string): string {
  if (!isPlainObject(value) || !isJson(value, 0)) {
    throw new InvalidAppendError(`The ${what} of a ${type} is not a JSON object`);
  }
  return JSON.stringify(value);
}

/** Deeper than any event; it also stops at cycles. */
const MAX_DEPTH = 200;

function isJson(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      if (value === null) return true;
      if (depth === MAX_DEPTH) return false;
      if (Array.isArray(value)) return isJsonArray(value, depth);
      return isPlainObject(value) && Object.values(value).every((member) => isJson(member, depth + 1));
    default:
      return false;
  }
}

/** By index, because `every` would skip the holes of a sparse array, which JSON cannot represent. */
function isJsonArray(values: readonly unknown[], depth: number): boolean {
  for (let index = 0; index < values.length; index += 1) {
    if (!isJson(values[index], depth + 1)) return false;
  }
  return true;
}

/** Plain also in other realms: its prototype is null or the root of a prototype chain. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
