import type { JsonObject } from '../../../kernel/json.js';
import type { PersistedEvent } from '../port.js';
import { expand } from './shorthand.js';

const TEXTS = ['stream', 'id', 'type', 'data', 'metadata'].join(' || char(0) || ');

/**
 * The columns of an event. They are read as bytes, because the driver aborts the process on text that is not UTF-8, and concatenated with
 * NUL, which is faster than separate columns and occurs in no name and no JSON.
 */
export const ROW_COLUMNS = `position, revision, CAST(${TEXTS} AS BLOB)`;

/** A row of {@link ROW_COLUMNS}. */
export type Row = readonly [position: number, revision: number, texts: Uint8Array | null];

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const damagedUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The event in a row. A damaged one has `unreadable` set, and whatever is left of it. */
export function eventOfRow(row: Row): PersistedEvent {
  const [position, revision, bytes] = row;
  try {
    const [stream, id, type, data, metadata] = utf8.decode(bytes).split('\0') as Texts;
    return {
      id,
      type,
      data: jsonOf(expand(data, id)),
      metadata: jsonOf(expand(metadata, id)),
      stream,
      revision,
      position,
    };
  } catch {
    return damagedEvent(row);
  }
}

type Texts = [stream: string, id: string, type: string, data: string, metadata: string];

function damagedEvent([position, revision, bytes]: Row): PersistedEvent {
  const [stream = '', id = '', type = '', ...rest] = damagedUtf8
    .decode(bytes ?? new Uint8Array())
    .split('\0');
  const [data, metadata] = rest.map((text) => jsonIn(expand(text, id)));
  return {
    id,
    type,
    data: data ?? {},
    metadata: metadata ?? {},
    stream,
    revision,
    position,
    unreadable: 'it is damaged: what is stored of it is not what was written',
  };
}

function jsonIn(text: string): JsonObject | null {
  try {
    return jsonOf(text);
  } catch {
    return null;
  }
}

/** @throws Error when it is not a JSON object */
function jsonOf(text: string): JsonObject {
  const value = JSON.parse(text) as JsonObject | null;
  if (typeof value !== 'object' || value === null) throw new TypeError('It is no object');
  return value;
}
