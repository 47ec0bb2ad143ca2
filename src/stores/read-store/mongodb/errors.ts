import { BSON, MongoInvalidArgumentError, MongoServerError, type MongoClient } from 'mongodb';
import { whileChecked } from '../../../runtime/while-checked.js';
import { inTime, isDuplicateKey } from '../../mongodb/connect.js';
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
const refusals: ReadonlySet<unknown> = new Set([2, 14, 28, 52, 66, 10334]);

function isRefusal(error: unknown): boolean {
  if (error instanceof BSON.BSONError || error instanceof MongoInvalidArgumentError) return true;
  return error instanceof MongoServerError && refusals.has(error.code);
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

/** Runs a task, and converts the driver's errors to the port's. */
export async function withPortErrors<Result>(task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    throw translate(error);
  }
}

/**
 * Runs commands that each take little time, and waits for them no longer than for a server that is gone. What takes as long as the data is
 * large is {@link whileAnswering}, or only {@link withPortErrors}, such as a batch.
 */
export function answered<Result>(client: MongoClient, task: () => Promise<Result>): Promise<Result> {
  return withPortErrors(() => inTime(client, task));
}

/** How often the server is pinged while a long command runs, in milliseconds. */
const PING_INTERVAL = 3_000;

/**
 * Runs a command that may take long, such as a new index, and waits for it as long as the server answers others.
 *
 * @throws ReadStoreUnavailableError when it does not; the server may carry the command out all the same
 */
export function whileAnswering<Result>(client: MongoClient, task: () => Promise<Result>): Promise<Result> {
  const ping = (): Promise<unknown> => answered(client, () => client.db().command({ ping: 1 }));
  return whileChecked(() => withPortErrors(task), ping, PING_INTERVAL);
}

/** How a deadline is passed to the driver. */
interface ReadLimits {
  /** The server ends operations that take longer. */
  readonly maxTimeMS?: number;
  /** When aborted, the driver stops waiting for the server. */
  readonly signal?: AbortSignal;
}

/** MaxTimeMSExpired. */
const TIME_EXPIRED = 50;

/** Whether the server ended an operation because of its time limit. */
export function isTimeExpired(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === TIME_EXPIRED;
}

/** Runs a read with its deadline, if there is one, and converts the driver's errors to the port's. */
export function withinDeadline<Result>(
  deadline: ReadDeadline | null,
  read: (limits: ReadLimits) => Promise<Result>,
): Promise<Result> {
  if (deadline === null) return withPortErrors(() => read({}));
  const { signal, at } = deadline;
  return withPortErrors(async () => {
    signal.throwIfAborted();
    const maxTimeMS = Math.ceil(at - performance.now());
    if (maxTimeMS <= 0) throw new DeadlineExceededError('The deadline is over');
    try {
      // While a thread is loading, there is no time limit, but the signal may be aborted.
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
