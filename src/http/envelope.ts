import type { StreamableFile } from '@nestjs/common';
import type { ApplicationError } from '../kernel/errors.js';
import { jsonMembersOf } from '../kernel/json.js';
import { TimeSlice } from '../runtime/time-slice.js';

/** Fields of a success reply beside `result`; without a field `msg` it is empty. */
export type SuccessFields = Readonly<Record<string, unknown>>;

/** A success whose fields are JSON text already, sent without being parsed or serialized again. */
export class RawEnvelope {
  /**
   * @param members text of the members of one JSON object without its braces, such as
   * `"anchor":7,"messages":[…]`; trusted
   * @param isInNamesOfClient whether it uses the client's names already, whatever its User-Agent: see {@link
   * inOlderNames}
   */
  constructor(
    readonly members: string,
    readonly isInNamesOfClient = false,
  ) {}

  /** @param text text of one JSON object; trusted */
  static ofObject(text: string): RawEnvelope {
    return new RawEnvelope(text.slice(1, -1));
  }
}

/** A complete success reply as bytes: see {@link replyBytes}. */
export class WrittenReply {
  /** @param body its receiver may change it */
  constructor(readonly body: Uint8Array<ArrayBuffer>) {}
}

/**
 * What a controller's method may return: fields of a success, as an object, as text or as complete bytes;
 * undefined for a success without fields; a file.
 */
export type Answer = SuccessFields | RawEnvelope | WrittenReply | StreamableFile | undefined;

const IGNORED = 'ignored_parameters_unsupported';

/**
 * The JSON text of a success.
 *
 * @param ignored names of parameters that the endpoint does not support
 */
export function successBody(
  fields: SuccessFields | RawEnvelope | WrittenReply | undefined,
  ignored: readonly string[],
): string | Buffer {
  const note = ignored.length === 0 ? '' : `,"${IGNORED}":${JSON.stringify(ignored)}`;
  if (fields instanceof WrittenReply) {
    const { buffer, byteOffset, byteLength } = fields.body;
    const body = Buffer.from(buffer, byteOffset, byteLength);
    return note === '' ? body : Buffer.concat([body.subarray(0, -1), Buffer.from(`${note}}`)]);
  }
  const { msg = '', ...members } = fields instanceof RawEnvelope ? {} : (fields ?? {});
  const inner = fields instanceof RawEnvelope ? fields.members : jsonMembersOf(members);
  return `{"result":"success","msg":${JSON.stringify(msg)}${inner === '' ? '' : ','}${inner}${note}}`;
}

/**
 * The body of a success, in its own memory, which can be transferred to another thread.
 *
 * @param members see {@link RawEnvelope}
 */
export function replyBytes(members: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(successBody(new RawEnvelope(members), []) as string);
}

/**
 * Like {@link replyBytes} for long replies: yields to other requests while the members are encoded.
 *
 * @param members none of them empty
 */
export async function replyBytesInTurns(members: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const empty = successBody(undefined, []) as string;
  const slice = new TimeSlice();
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
