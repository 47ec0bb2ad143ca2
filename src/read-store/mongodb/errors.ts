import { BSON, MongoInvalidArgumentError, MongoServerError } from 'mongodb';
import { isDuplicateKey } from '../../mongodb/connect.js';
import { DuplicateKeyError, FencedError, ReadStoreUnavailableError, UnsupportedQueryError } from '../port.js';

/** BadValue, TypeMismatch, PathNotViable, DollarPrefixedFieldName, ImmutableField, BSONObjectTooLarge. */
const REFUSALS: ReadonlySet<unknown> = new Set([2, 14, 28, 52, 66, 10334]);

function isRefusal(error: unknown): boolean {
  if (error instanceof BSON.BSONError || error instanceof MongoInvalidArgumentError) return true;
  return error instanceof MongoServerError && REFUSALS.has(error.code);
}

function translate(error: unknown): unknown {
  if (error instanceof FencedError || error instanceof UnsupportedQueryError) return error;
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
