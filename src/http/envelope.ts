import type { StreamableFile } from '@nestjs/common';
import type { ApplicationError } from '../kernel/errors.js';
import { jsonMembersOf, RawJson } from '../kernel/json.js';
import { SharedTimeSlice } from '../runtime/time-slice.js';

/** Fields of a success reply beside `result`; without a field `msg` it is empty. A value may be {@link RawJson}. */
export type SuccessFields = Readonly<Record<string, unknown>>;

/** A success that uses the client's names already, whatever its User-Agent: see {@link inOlderNames}. */
export class SuccessInOwnNames {
  constructor(readonly fields: SuccessFields) {}
}

/** A complete success reply as bytes: see {@link replyBytes}. */
export class WrittenReply {
  /** @param body its receiver may change it */
  constructor(readonly body: Uint8Array<ArrayBuffer>) {}
}

/**
 * What a controller's method may return: fields of a success, as an object, as text of one or as complete bytes;
 * undefined for a success without fields; a file.
 */
export type Answer = SuccessFields | RawJson | SuccessInOwnNames | WrittenReply | StreamableFile | undefined;

const IGNORED = 'ignored_parameters_unsupported';

/**
 * The JSON text of a success.
 *
 * @param ignored names of parameters that the endpoint does not support
 */
export function successBody(
  fields: SuccessFields | RawJson | WrittenReply | undefined,
  ignored: readonly string[],
): string | Buffer {
  const note = ignored.length === 0 ? '' : `,"${IGNORED}":${JSON.stringify(ignored)}`;
  if (fields instanceof WrittenReply) {
    const { buffer, byteOffset, byteLength } = fields.body;
    const body = Buffer.from(buffer, byteOffset, byteLength);
    return note === '' ? body : Buffer.concat([body.subarray(0, -1), Buffer.from(`${note}}`)]);
  }
  const { msg = '', ...members } = fields instanceof RawJson ? {} : (fields ?? {});
  const inner = jsonMembersOf(fields instanceof RawJson ? fields : members);
  return `{"result":"success","msg":${JSON.stringify(msg)}${inner === '' ? '' : ','}${inner}${note}}`;
}

/** The body of a success, in its own memory, which can be transferred to another thread. */
export function replyBytes(fields: SuccessFields | RawJson): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(successBody(fields, []) as string);
}

/**
 * Like {@link replyBytes} for long replies: yields to other requests while the members are encoded.
 *
 * @param members none of them empty
 */
export async function replyBytesInTurns(members: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const empty = successBody(undefined, []) as string;
  const slice = new SharedTimeSlice();
  const parts: Uint8Array[] = [encoder.encode(empty.slice(0, -1))];
  for (const member of members) {
    if (slice.isOver) await slice.next();
    parts.push(encoder.encode(`,${member}`));
  }
  parts.push(encoder.encode('}'));
  const body = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    body.set(part, end);
    end += part.length;
  }
  return body;
}

/** The reply for an error. */
export function errorBody({ message, fields, code }: ApplicationError): SuccessFields {
  return { result: 'error', msg: message, ...fields, ...(code === '' ? {} : { code }) };
}
