import type { StreamableFile } from '@nestjs/common';
import type { ApplicationError } from '../kernel/errors.js';

/** Fields of a success reply beside `result` and `msg` (specification, "Conventions", 3). */
export type SuccessFields = Readonly<Record<string, unknown>>;

/** A success whose fields are JSON text already, sent without being parsed or serialised again. */
export class RawEnvelope {
  /** @param members text of the members of one JSON object without its braces, such as `"anchor":7,"messages":[…]`; it is trusted */
  constructor(readonly members: string) {}

  /** @param text text of one JSON object; it is trusted */
  static ofObject(text: string): RawEnvelope {
    return new RawEnvelope(text.slice(1, -1));
  }
}

/** What a controller's method may answer: fields of a success, the same as text, nothing more than a success, a file. */
export type Answer = SuccessFields | RawEnvelope | StreamableFile | undefined;

const IGNORED = 'ignored_parameters_unsupported';

/**
 * The JSON text of a success.
 *
 * @param ignored names of parameters that the endpoint does not support (specification, "Conventions", 5)
 */
export function successBody(
  fields: SuccessFields | RawEnvelope | undefined,
  ignored: readonly string[],
): string {
  const note = ignored.length === 0 ? '' : `,"${IGNORED}":${JSON.stringify(ignored)}`;
  const inner = fields instanceof RawEnvelope ? fields.members : JSON.stringify(fields ?? {}).slice(1, -1);
  return `{"result":"success","msg":""${inner === '' ? '' : ','}${inner}${note}}`;
}

/** The reply to a request that was refused (specification, "Errors"). */
export function errorBody({ message, fields, code }: ApplicationError): SuccessFields {
  return { result: 'error', msg: message, ...fields, ...(code === '' ? {} : { code }) };
}
