import {
  jsonEvent,
  MaxAppendSizeExceededError,
  WrongExpectedVersionError,
  type Credentials,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import {
  AppendTooLargeError,
  EventStoreUnavailableError,
  WrongExpectedRevisionError,
  type AppendResult,
  type ExpectedRevision,
  type PersistedEvent,
  type StoredEvent,
} from '../port.js';
import { readWithin } from './bounded-read.js';
import { toPersistedEvent, toSafeInteger } from './convert.js';
import { isPermanent, toUnavailable } from './failures.js';

/** A validated append. */
export interface CheckedAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly StoredEvent[];
}

/** What appends work with. */
export interface AppendCallsOptions {
  readonly client: EventStoreDBClient;
  /** Sent with every append: it makes the client use a separate call with a deadline instead of the batch stream. */
  readonly credentials: Credentials;
  /** Total time for all attempts at one append, in milliseconds. */
  readonly deadline: number;
}

/** A part of a stream. */
interface StreamPart {
  readonly fromRevision: bigint | 'end';
  readonly maxCount: number;
  readonly direction?: 'backwards';
}

/** The calls to the server that an append consists of. */
export class AppendCalls {
  constructor(private readonly options: AppendCallsOptions) {}

  /** Total time for all attempts at one append, in milliseconds. */
  get deadline(): number {
    return this.options.deadline;
  }

  /** Makes one attempt. @param left milliseconds until the append is given up */
  async send({ stream, expected, events }: CheckedAppend, left: number): Promise<AppendResult> {
    const { client, credentials, deadline } = this.options;
    const result = await client.appendToStream(
      stream,
      events.map(({ id, type, data, metadata }) => jsonEvent({ id, type, data, metadata })),
      {
        expectedRevision: toClientRevision(expected),
        credentials,
        // At most half of the total, so that a hanging connection leaves time for another attempt.
        deadline: Math.max(1, Math.min(left, deadline / 2)),
      },
    );
    if (!result.position) throw new Error('The server acknowledged an append without its position');
    return {
      revision: toSafeInteger(result.nextExpectedRevision),
      position: toSafeInteger(result.position.commit),
    };
  }

  /** @throws EventStoreUnavailableError after a quarter of the deadline */
  async read(stream: string, part: StreamPart): Promise<readonly PersistedEvent[]> {
    const { client, deadline } = this.options;
    const resolved = await readWithin(deadline / 4, () => client.readStream(stream, part));
    return resolved.flatMap(({ event }) => (event ? toPersistedEvent(event) : []));
  }
}

/**
 * Converts an error that a retry cannot correct to an error of the port.
 *
 * @param written whether something may have been written all the same
 * @returns null: the append is to be retried
 */
export function refusal(
  error: unknown,
  { stream, expected, events }: CheckedAppend,
  written: 'unknown' | false,
): Error | null {
  if (error instanceof WrongExpectedVersionError) {
    const { actualVersion } = error;
    const actual = typeof actualVersion === 'bigint' ? toSafeInteger(actualVersion) : null;
    return new WrongExpectedRevisionError(stream, expected, actual);
  }
  if (error instanceof MaxAppendSizeExceededError) return new AppendTooLargeError(bytesOf(events));
  const reason = error instanceof EventStoreUnavailableError ? error.cause : error;
  return isPermanent(reason) ? toUnavailable(reason, written) : null;
}

/** Bytes of the events' data, which is what the server's limit counts. */
export function bytesOf(events: readonly StoredEvent[]): number {
  return events.reduce((sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)), 0);
}

function toClientRevision(expected: ExpectedRevision): bigint | 'any' | 'no_stream' {
  switch (expected) {
    case 'any':
      return 'any';
    case 'no-stream':
      return 'no_stream';
    default:
      return BigInt(expected);
  }
}
