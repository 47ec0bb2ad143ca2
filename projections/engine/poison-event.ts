import { ApplicationError, OperatorError } from '../../src/kernel/errors.js';
import { FencedError, ModelRemovedError } from '../../src/stores/read-store/port.js';
import { isStoreUnavailable } from '../../src/stores/store-unavailable.js';
import { ModelBehindError } from './reactor.js';

/** Identifies an event, whether or not it could be decoded. */
export interface EventReference {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly position: number;
}

/** An event that cannot be passed: it cannot be decoded, its handler throws, or its changes are rejected. */
export class PoisonEventError extends Error {
  override readonly name = 'PoisonEventError';
  /** Nothing else of the event, because this is logged, and texts of people must not be. */
  readonly event: EventReference;

  constructor({ id, type, stream, position }: EventReference, cause: unknown) {
    super(`${type} at position ${position}: ${reasonOf(cause)}`, { cause });
    this.event = { id, type, stream, position };
  }
}

/** A model that cannot be built from the log, and the event that the build stops at. */
export interface UnbuiltModel {
  readonly projection: string;
  readonly event: EventReference;
  readonly reason: string;
}

/** Builds a model of a projection. Returns the result of the build, or the event that it stops at. */
export async function builtOrStopped<Result>(
  projection: string,
  build: () => Promise<Result>,
): Promise<Result | UnbuiltModel> {
  try {
    return await build();
  } catch (error) {
    if (!(error instanceof PoisonEventError)) throw error;
    return { projection, event: error.event, reason: error.message };
  }
}

/** A discarded event is not in the log at the position at which it was discarded. */
export class MissingEventError extends OperatorError {
  override readonly name = 'MissingEventError';
}

/** The message of an error, in one line. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}

/** Whether an error is about the stores or the lease, and not about the event. */
export function isAboutStores(error: unknown): boolean {
  return error instanceof FencedError || error instanceof ModelRemovedError || isStoreUnavailable(error);
}

/** Whether what failed may succeed later without anybody's help: a store is unavailable, a model lags, or there is no room now. */
export function isTemporary(error: unknown): boolean {
  if (isAboutStores(error) || error instanceof ModelBehindError) return true;
  return error instanceof ApplicationError && error.status === 503;
}
