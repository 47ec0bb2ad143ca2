import { caseErrors, exportErrors } from './error-rows/audit.js';
import { channelErrors } from './error-rows/channels.js';
import { deviceErrors, personalErrors } from './error-rows/personal.js';
import type { ErrorFields, ErrorRow } from './error-rows/error-row.js';
import { fileErrors, resumableUploadErrors } from './error-rows/files.js';
import { invitationErrors, peopleErrors } from './error-rows/people.js';
import { messageErrors } from './error-rows/messages.js';
import { organizationErrors } from './error-rows/organization.js';
import { requestErrors } from './error-rows/requests.js';

/** An error that an operator can correct. Its message is a sentence that says what to do, and is all that operators are shown. */
export abstract class OperatorError extends Error {}

/** The table of all errors that clients can receive. No two rows have the same name (`errors.spec.ts`). */
export const errorTable = {
  ...requestErrors,
  ...messageErrors,
  ...personalErrors,
  ...fileErrors,
  ...organizationErrors,
  ...channelErrors,
  ...peopleErrors,
  ...deviceErrors,
  ...invitationErrors,
  ...caseErrors,
  ...exportErrors,
  ...resumableUploadErrors,
} as const;

export type ErrorName = keyof typeof errorTable;

type FieldsOf<Name extends ErrorName> =
  (typeof errorTable)[Name] extends ErrorRow<infer Fields> ? Fields : never;

/** What a client gets of an error. */
interface Refusal {
  /** The API's error code. */
  readonly code: string;
  /** HTTP status. */
  readonly status: number;
  /** Sent beside the code, except for `reason`, which is part of the message. */
  readonly fields: ErrorFields;
}

/** An error that the caller receives: a row of {@link errorTable}. */
export class ApplicationError extends Error implements Refusal {
  override readonly name = 'ApplicationError';
  readonly code: string;
  readonly status: number;
  readonly fields: ErrorFields;

  constructor(
    readonly row: ErrorName,
    message: string,
    { code, status, fields }: Refusal,
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.fields = fields;
  }
}

/** Whether the command was definitely refused. After any other error, its events may be in the log. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApplicationError && error.status < 500;
}

/** Creates the error of a row: `throw failure('invalidMessage')`, `throw failure('badNarrow', { desc: 'unknown operator' })`. */
export function failure<Name extends ErrorName>(
  name: Name,
  ...[fields]: keyof FieldsOf<Name> extends never ? [] : [FieldsOf<Name>]
): ApplicationError {
  const { code, status, message } = errorTable[name] as ErrorRow<ErrorFields>;
  const given: ErrorFields = fields ?? {};
  const { reason: _message, ...extra } = given;
  return new ApplicationError(name, message(given), { code, status, fields: extra });
}
