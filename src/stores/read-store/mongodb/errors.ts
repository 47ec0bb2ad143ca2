import { BSON, MongoInvalidArgumentError, MongoServerError } from 'mongodb';
import { isDuplicateKey } from '../../mongodb/connect.js';
import {
  DeadlineExceededError,
  type ReadDeadline,
  DuplicateKeyError,
  FencedError,
  ModelRemovedError,
  ReadStoreUnavailableError,
  UnsupportedQueryError,
} from '../port.js';

/** BadValue, TypeMismatch, PathNotViable, DollarPrefixedFieldName, ImmutableField, BSONObjectTooLarge. */
const REFUSALS: ReadonlySet<unknown> = new Set([2, 14, 28, 52, 66, 10334]);

function isRefusal(error: unknown): boolean {
  if (error instanceof BSON.BSONError || error instanceof MongoInvalidArgumentError) return true;
  return error instanceof MongoServerError && REFUSALS.has(error.code);
}

function translate(error: unknown): unknown {
  if (
    error instanceof FencedError ||
    error instanceof ModelRemovedError ||
    error instanceof UnsupportedQueryError
  )
    return error;
  if (error instanceof DeadlineExceededError) return error;
  if (!(error instanceof Error)) return error;
  if (isDuplicateKey(error)) return new DuplicateKeyError(error.message, { cause: error });
  if (isRefusal(error)) return new UnsupportedQueryError(error.message, { cause: error });
  return new ReadStoreUnavailableError(`MongoDB cannot go on: ${error.message}`, { cause: error });
}

/** Runs a task with the driver's errors as the port's. */
export async function guarded<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    throw translate(error);
  }
}

/** How the driver is told until when an answer is wanted. */
interface ReadLimits {
  /** The server ends what takes longer. */
  readonly maxTimeMS?: number;
  /** The driver does not wait for the server when it is aborted. */
  readonly signal?: AbortSignal;
}

/** MaxTimeMSExpired. */
const TIME_EXPIRED = 50;

/** Whether the server ended what took longer than it was given. */
export function isTimeExpired(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === TIME_EXPIRED;
}

/** Reads with the driver's errors as the port's; where there is a deadline, no longer than until then. */
export function withinDeadline<Result>(
  deadline: ReadDeadline | null,
  read: (limits: ReadLimits) => Promise<Result>,
): Promise<Result> {
  if (deadline === null) return guarded(() => read({}));
  const { signal, at } = deadline;
  return guarded(async () => {
    signal.throwIfAborted();
    const maxTimeMS = Math.ceil(at - performance.now());
    if (maxTimeMS <= 0) throw new DeadlineExceededError('The deadline is over');
    try {
      // While a thread gets ready there is no limit of time, but an end all the same.
      return await read({ ...(Number.isFinite(maxTimeMS) && { maxTimeMS }), signal });
    } catch (error) {
      signal.throwIfAborted();
      if (isTimeExpired(error)) {
        throw new DeadlineExceededError('The deadline is over', { cause: error });
      }
      throw error;
    }
  });
}
