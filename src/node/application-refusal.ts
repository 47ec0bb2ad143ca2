import { reasonOf } from '../../projections/engine/poison-event.js';
import { asApplicationError } from '../http/as-application-error.js';
import type { ErrorName } from '../kernel/errors.js';

/** The form in which the caller of a thread's task receives an error that clients can receive. */
export interface ApplicationRefusal {
  /** A name from the table of errors, of one without fields. */
  readonly row: ErrorName;
  /** A sentence. */
  readonly reason: string;
}

/** Null: an unexpected error. */
export function applicationRefusal(error: unknown): ApplicationRefusal | null {
  const { row } = asApplicationError(error);
  return row === 'internalError' ? null : { row, reason: reasonOf(error) };
}
