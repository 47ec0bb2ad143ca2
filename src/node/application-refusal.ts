import { reasonOf } from '../../projections/engine/poison-event.js';
import { asApplicationError } from '../http/as-application-error.js';
import type { ErrorName } from '../kernel/errors.js';

/** What the caller of a thread's task is told of an error that clients can receive. */
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
